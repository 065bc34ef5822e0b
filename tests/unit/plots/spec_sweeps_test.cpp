#include "plots/spec_sweeps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "plots/table/table_kind.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(TablesOf, AreThoseWhoseSweepsAreAllNamed) {
  const TempFolder folder;
  const std::filesystem::path tables = folder.path() / "plots/tables",
                              sweep = folder.path() / "sweeps/example.yaml",
                              other = folder.path() / "sweeps/other.yaml";
  write_text(sweep, "sweep: example");
  write_text(other, "sweep: other");
  write_text(tables / "a/one.yaml", kExampleSpec);
  write_text(tables / "a/both.yaml",
             with(kExampleSpec, "{axis: task}", "{axis: task, sweep: sweeps/other.yaml}"));
  write_text(tables / "a/faulty.yaml", with(kExampleSpec, "metric:", "metrik:"));
  write_text(tables / "a/lost.yaml", with(kExampleSpec, kSweep, "sweeps/none.yaml"));
  EXPECT_THAT(tables_of({sweep}, {folder.path()}), ElementsAre("a/one"));
  EXPECT_THAT(tables_of({other, sweep}, {folder.path()}), ElementsAre("a/both", "a/one"));
  EXPECT_THAT(tables_of({other}, {folder.path()}), IsEmpty());
}

TEST(FindSpecSweep, SaysWhichSweepFilesMayBeMeant) {
  const TempFolder folder;
  write_text(folder.path() / "experiments/sweeps/paper/masks.yaml", "sweep: paper/masks");
  write_text(folder.path() / "sweeps/mine.yaml", "sweep: mine");
  write_text(folder.path() / "here.yaml", "sweep: here");
  const auto refused = [&](const std::string& sweep) -> std::string {
    try {
      return find_spec_sweep({sweep, {"t.yaml", 3, 8}}, {folder.path()});
    } catch (const ConfigError& error) {
      return error.what();
    }
  };
  const std::string
      begin = "t.yaml:3:8: error: sweep: got '",
      end =
          "', expected a sweep's name, or the path of its file beside this file or below "
          "the search path (" +
          folder.path().string() + "; --path DIR adds a folder)";
  for (const char* name : {"masks", "masks.yaml"}) {
    EXPECT_EQ(refused(name),
              begin + name + end + "; write sweep: experiments/sweeps/paper/masks.yaml");
  }
  EXPECT_EQ(refused("paper/masks"), folder.path() / "experiments/sweeps/paper/masks.yaml");
  EXPECT_EQ(refused("mine"), folder.path() / "sweeps/mine.yaml");
  EXPECT_EQ(refused("paper/mosks"),
            begin + "paper/mosks" + end + "; write sweep: experiments/sweeps/paper/masks.yaml");
  EXPECT_EQ(refused("here"), begin + "here" + end + "; write sweep: here.yaml");
  EXPECT_EQ(refused("far"), begin + "far" + end);
  write_text(folder.path() / "sweeps/both.yaml", "sweep: both");
  EXPECT_EQ(refused("sweeps/both"),
            begin + "sweeps/both" + end + "; write sweep: sweeps/both.yaml");
  EXPECT_EQ(refused("sweeps/mine.yaml"), folder.path() / "sweeps/mine.yaml");
}

TEST(FindSpecSweep, LooksBesideTheSpecFirst) {
  const TempFolder folder;
  const std::filesystem::path spec = folder.path() / "mine/tables/rates.yaml";
  write_text(spec, "table: rates");
  const auto found = [&](const std::string& sweep) {
    return find_spec_sweep({sweep, {spec, 2, 8}}, {folder.path()});
  };
  const auto note = [&](const std::string& sweep) {
    return note_on_second_sweep({sweep, {spec, 2, 8}}, {folder.path()});
  };
  write_text(folder.path() / "other.yaml", "sweep: other");
  EXPECT_EQ(found("other.yaml"), folder.path() / "other.yaml");
  EXPECT_FALSE(note("other.yaml"));
  write_text(folder.path() / "mine/tables/other.yaml", "sweep: other");
  EXPECT_EQ(found("other.yaml"), folder.path() / "mine/tables/other.yaml");
  const std::optional<Note> second = note("other.yaml");
  ASSERT_TRUE(second);
  EXPECT_EQ(second->code.text(), "ambiguous-path");
  EXPECT_EQ(second->where, (Position{spec, 2, 8}));
  EXPECT_THAT(
      second->text,
      testing::AllOf(testing::HasSubstr((folder.path() / "mine/tables/other.yaml").string()),
                     testing::HasSubstr((folder.path() / "other.yaml").string())));
  write_text(folder.path() / "mine/far.yaml", "sweep: far");
  EXPECT_EQ(found("../far.yaml"), folder.path() / "mine/far.yaml");
  write_text(folder.path() / "rates.yaml", "sweep: rates");
  EXPECT_EQ(found("rates.yaml"), folder.path() / "rates.yaml") << "the spec itself is no sweep";
}

TEST(ReadTableFile, NamesAMissingSweepBesideTheSpecsOtherMistakes) {
  const TempFolder folder;
  write_text(folder.path() / "t.yaml", with(kExampleSpec, "title:", "tilte:"));
  const auto refused = [&](const std::vector<std::filesystem::path>& paths) -> std::string {
    try {
      read_table_file(folder.path() / "t.yaml", paths);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refused({folder.path()}),
              testing::AllOf(testing::HasSubstr("t.yaml:2:1: error: unknown key 'tilte'"),
                             testing::HasSubstr(
                                 "t.yaml:3:8: error: sweep: got 'sweeps/example.yaml', expected")));
  EXPECT_THAT(refused({}), testing::Not(testing::HasSubstr("sweep: got")));
}

}  // namespace
}  // namespace rethink::test
