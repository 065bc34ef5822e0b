#include "app/driver/cli/named_files.h"

#include <gmock/gmock.h>

#include "core/error.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class NamedFilesTest : public testing::Test {
 protected:
  NamedFilesTest() {
    write_text(folder_.path() / "experiments/sweeps/p/glue.yaml", "sweep: p/glue");
    write_text(folder_.path() / "experiments/sweeps/p/both.yaml", "sweep: p/both");
    for (const char* name : {"one", "both"}) {
      write_text(
          folder_.path() / "plots/tables/p" / (std::string(name) + ".yaml"),
          "table: p/one\nsweep: experiments/sweeps/p/glue.yaml\nstage: s\nmetric: dev/score\n"
          "rows: [{label: r}]\ncolumns: [{label: c}]\n");
    }
    write_text(
        folder_.path() / "plots/claims/p.yaml",
        "claims: p\nlist:\n- {claim: c, says: x, table: p/one, test: better, row: r, than: r}");
  }

  std::string refusal(const std::string& kind, const std::string& name) const {
    try {
      kind.empty() ? sweep_file_named(name, paths_, store_)
                   : spec_file_named(kind, name, paths_, store_);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }

  const TempFolder folder_;
  const std::vector<std::filesystem::path> paths_ = {folder_.path()};
  const std::filesystem::path store_ = "s";
};

TEST_F(NamedFilesTest, ATableInPlaceOfASweepNamesItsSweeps) {
  EXPECT_EQ(refusal("", "p/one"),
            "p/one is a table, expected a sweep: type `rethink table p/one --run --store s` to run "
            "its missing trials; they belong to: p/glue");
  EXPECT_EQ(refusal("", "p"),
            "p is a file of claims, expected a sweep: type `rethink claims p --run --store s` to "
            "run its missing trials; they belong to: p/glue");
  EXPECT_EQ(refusal("", "p/both"), "");
  EXPECT_THAT(refusal("", "p/glu"), HasSubstr("did you mean 'p/glue'?"));
}

TEST_F(NamedFilesTest, TheEndOfATablesNameIsNoSweepAndSaysWhichTable) {
  EXPECT_EQ(refusal("", "one"),
            "there is no sweep 'one'; did you mean `rethink table p/one --run --store s`?");
  EXPECT_EQ(refusal("figures", "one"),
            "there is no figure 'one'; did you mean `rethink table p/one --store s`?");
  write_text(folder_.path() / "plots/figures/q/one.yaml", "figure: q/one\n");
  EXPECT_EQ(refusal("", "one"),
            "there is no sweep 'one'; did you mean `rethink table p/one --run --store s` or "
            "`rethink figure q/one --run --store s`?");
  EXPECT_THAT(refusal("", "both"), HasSubstr("did you mean 'p/both'?"));
  EXPECT_THAT(refusal("tables", "one"), HasSubstr("did you mean 'p/one'?"));
}

TEST_F(NamedFilesTest, TheCommandToTypeHasTheOptionsThatWereGiven) {
  const std::string options = " --profile smoke --data d";
  try {
    sweep_file_named("p/one", paths_, store_, options);
    FAIL() << "a table is no sweep";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("type `rethink table p/one --run --profile smoke --data d --store s`"));
  }
  try {
    spec_file_named("figures", "p/one", paths_, store_, options);
    FAIL() << "a table is no figure";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("type `rethink table p/one --profile smoke --data d --store s`"));
  }
}

TEST_F(NamedFilesTest, ASweepInPlaceOfATableNamesItsTables) {
  EXPECT_EQ(refusal("tables", "p/glue"), "p/glue is a sweep; tables of its trials: p/both, p/one");
  EXPECT_EQ(refusal("claims", "p/glue"), "p/glue is a sweep; claims of its trials: p");
  EXPECT_EQ(refusal("figures", "p/glue"), "p/glue is a sweep; figures of its trials: none");
  EXPECT_EQ(refusal("figures", "p/one"), "p/one is a table: type `rethink table p/one --store s`");
  EXPECT_EQ(refusal("tables", "p/both"), "");
  EXPECT_THAT(refusal("tables", "p/on"), HasSubstr("did you mean 'p/one'?"));
}

TEST_F(NamedFilesTest, APathIsAFileAndSaysThatThereIsNone) {
  const std::string file = (folder_.path() / "mine").string();
  write_text(file + ".yaml", "sweep: mine");
  EXPECT_EQ(refusal("", file + "2.yaml"), file + "2.yaml: there is no such file; did you mean '" +
                                              file +
                                              ".yaml'?; expected a sweep file or the name of one");
  EXPECT_THAT(refusal("", file + ".yml"), HasSubstr("did you mean '" + file + ".yaml'?"));
  EXPECT_THAT(refusal("", file), HasSubstr("did you mean '" + file + ".yaml'?"));
  EXPECT_EQ(refusal("", "none/such.yaml"),
            "none/such.yaml: there is no such file; expected a sweep file or the name of one");
  EXPECT_THAT(refusal("", "p/glue.yaml"), HasSubstr("did you mean 'p/glue'?"));
  // Any ending of a file makes a path.
  EXPECT_EQ(refusal("tables", file + ".yam"),
            file + ".yam: there is no such file; did you mean '" + file +
                ".yaml'?; expected a file of tables or the name of one");
  EXPECT_EQ(refusal("", "none/such.json"),
            "none/such.json: there is no such file; expected a sweep file or the name of one");
  EXPECT_THAT(refusal("tables", "p/rate_0.5"), HasSubstr("there is no table 'p/rate_0.5'"));
  EXPECT_EQ(refusal("tables", "./such"),
            "./such: there is no such file; expected a file of tables or the name of one");
}

TEST_F(NamedFilesTest, AFileOfAnotherKindIsReportedWithItsKind) {
  const auto file = [&](const std::string& name, const std::string& text) {
    write_text(folder_.path() / name, text);
    return (folder_.path() / name).string();
  };
  const std::string program = file("train.py", "import sys\n"), tool = file("tool", "#!/bin/sh\n"),
                    table = file("t.yaml", "table: t\nsweep: s\n"),
                    figure = file("f.yaml", "figure: f\nsweep: s\n"),
                    sweep = file("s.yaml", "sweep: s\nstages: {}\n"),
                    stray = file("x.yaml", "other: 1\n");
  for (const std::string& one : {program, tool}) {
    EXPECT_EQ(refusal("", one), one + " is a program, expected a sweep: `rethink init " + one +
                                    "` writes a sweep that runs it");
    EXPECT_THAT(refusal("tables", one), HasSubstr(" is a program, expected a table: "));
  }
  EXPECT_EQ(refusal("", table),
            table + " is a table, expected a sweep: type `rethink table " + table + " --store s`");
  EXPECT_EQ(
      refusal("tables", figure),
      figure + " is a figure, expected a table: type `rethink figure " + figure + " --store s`");
  EXPECT_EQ(refusal("figures", sweep),
            sweep + " is a sweep, expected a figure: type `rethink run " + sweep + " --store s`");
  for (const std::string kind : {"", "tables", "figures"}) EXPECT_EQ(refusal(kind, stray), "");
  EXPECT_EQ(refusal("", sweep), "");
  EXPECT_EQ(refusal("tables", table), "");
}

}  // namespace
}  // namespace rethink
