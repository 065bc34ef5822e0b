// A user's program as a trial: changes that make it another trial, and refusals of `plan`.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "core/config/schema.h"
#include "core/system/process.h"
#include "experiments/attempt/command/command_options.h"
#include "experiments/plan/expand/code_snapshot.h"
#include "tests/unit/plan/plan_fixture.h"

namespace rethink {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ProgramTest : public PlanFixture {
 protected:
  ProgramTest() { write_text(folder_ / "train.py", "print(1)\n"); }

  static std::string sweep(const std::string& lines) {
    return "sweep: own\nstages:\n  train:\n    job: command\n    code: [\"*.py\"]\n" + lines;
  }

  Plan planned(const std::string& lines) {
    write_text(folder_ / "own.yaml", sweep(lines));
    static const Schema schema = schema_of_this_program("");
    return make_plan(folder_ / "own.yaml", choices_, schema);
  }
  std::string id(const std::string& lines) { return planned(lines).trials.at(0).trial.id; }
  std::string fault(const std::string& lines) {
    try {
      planned(lines);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(ProgramTest, IsWhatItsWordsSettingsAndCodeAre) {
  const std::string run = "    run: [python3, train.py]\n";
  const std::string first = id(run);
  EXPECT_EQ(id(run), first);
  EXPECT_NE(id("    run: [python3, train.py, -v]\n"), first);
  EXPECT_NE(id(run + "    env: {A: b}\n"), first);
  EXPECT_EQ(id(run + "    pass: [HOME]\n    limits: {grace: 5s}\n    resources: {gpus: 0}\n"),
            first);
  EXPECT_EQ(id(run + "    config: {lr: 1e-3}\n"), id(run + "    config: {lr: 0.001}\n"));
  EXPECT_NE(id(run + "    config: {width: 256}\n"), id(run + "    config: {width: 256.0}\n"));
  EXPECT_EQ(id(run + "    config: {a: {b: 1}}\n"), id(run + "    config.a.b: 1\n"));
  write_text(folder_ / "train.py", "print(2)\n");
  const std::string changed = id(run);
  EXPECT_NE(changed, first);
  write_text(folder_ / "notes.txt", "no code");
  EXPECT_EQ(id(run), changed);
  const std::string version = id(run + "    code_version: 3\n");
  write_text(folder_ / "train.py", "print(3)\n");
  EXPECT_EQ(id(run + "    code_version: 3\n"), version);
  const auto written = [](const std::string& code) {
    return "sweep: own\nstages:\n  train:\n    job: command\n    run: [python3, train.py]\n    "
           "code: " +
           code + "\n";
  };
  ASSERT_EQ(run_program({.words = {"git", "init", "-q", folder_.path().string()}}).status, 0);
  write_text(folder_ / "own.yaml", written("{version: 3}"));
  const Schema schema = schema_of_this_program("");
  EXPECT_EQ(make_plan(folder_ / "own.yaml", choices_, schema).trials.at(0).trial.id, version);
  write_text(folder_ / "own.yaml", written("{versoin: 3}"));
  EXPECT_THROW(make_plan(folder_ / "own.yaml", choices_, schema), ConfigError);
}

TEST_F(ProgramTest, HasItsSettingsOnAxes) {
  const Plan made =
      planned("    run: [sh, -c, 'echo {config.lr}']\n    grid: {config.lr: [1e-3, 3e-4]}\n");
  ASSERT_EQ(made.trials.size(), 2u);
  EXPECT_EQ(made.trials[1].trial.config["config"]["lr"], 3e-4);
  EXPECT_EQ(made.trials[1].labels.at("config.lr"), "3e-4");
}

TEST_F(ProgramTest, ReadsDataThatCountByTheirContent) {
  const std::string lines =
      "    run: [cat, \"{data.corpus}\"]\n    data: {corpus: {file: corpus.txt}}\n";
  EXPECT_THAT(fault(lines),
              HasSubstr("'data.corpus': " + (folder_ / "corpus.txt").string() + " does not exist"));
  write_text(folder_ / "corpus.txt", "one");
  EXPECT_THAT(fault("    run: [cat, \"{data.corpus}\"]\n    data: {corpus: {dir: corpus.txt}}\n"),
              HasSubstr((folder_ / "corpus.txt").string() + " is not a folder\n"));
  EXPECT_THAT(fault("    run: [cat, \"{data.corpus}\"]\n    data: {corpus: {file: .}}\n"),
              HasSubstr(" is not a file\n"));
  const std::string first = id(lines);
  std::filesystem::rename(folder_ / "corpus.txt", folder_ / "other.txt");
  EXPECT_EQ(id("    run: [cat, \"{data.corpus}\"]\n    data: {corpus: {file: other.txt}}\n"),
            first);
  write_text(folder_ / "other.txt", "two");
  EXPECT_NE(id("    run: [cat, \"{data.corpus}\"]\n    data: {corpus: {file: other.txt}}\n"),
            first);
}

TEST_F(ProgramTest, IsRefusedWhereItNamesNothing) {
  EXPECT_THAT(fault("    run: []\n"),
              HasSubstr("'run': got an empty list, expected at least one element"));
  EXPECT_THAT(
      fault("    run: [python3, \"{config.lr}\"]\n    config: {lrs: 1}\n"),
      HasSubstr(
          "own.yaml:6:10: error: there is no placeholder {config.lr}; did you mean 'config.lrs'?"));
  EXPECT_THAT(fault("    run: [\"{seed\"]\n"), HasSubstr("has a { without }"));
  EXPECT_THAT(
      fault("    run: [a]\n    metrics: {acc: max}\n"),
      HasSubstr("metric 'acc' has no split: write it, and report it, as dev/acc or test/acc"));
  EXPECT_THAT(fault("    run: [a]\n    metrics: {dev/acc: up}\n"),
              HasSubstr("expected one of max, min"));
  EXPECT_THAT(fault("    run: [a]\n    metrics: {dev/acc: max}\n    score: dev/f1\n"),
              HasSubstr("'score' is \"dev/f1\", expected one of 'metrics'"));
  EXPECT_THAT(fault("    run: [a]\n    data: {x: {}}\n"),
              HasSubstr("write {file: PATH}, {dir: PATH} or {name: NAME, revision: COMMIT}"));
}

/// A branch moves, so the trial would change under the same id.
TEST_F(ProgramTest, PublishedDataCountByNameAndCommit) {
  const std::string run =
      "    run: [python3, train.py, \"{data.glue}\", \"{data.glue.revision}\"]\n";
  const auto of = [&](const std::string& name, const std::string& revision) {
    return run + "    data: {glue: {name: " + name + ", revision: " + revision + "}}\n";
  };
  const std::string a(40, 'a'), b(40, 'b');
  EXPECT_EQ(id(of("hf/glue", a)), id(of("hf/glue", a)));
  EXPECT_NE(id(of("hf/glue", a)), id(of("hf/glue", b)));
  EXPECT_NE(id(of("hf/glue", a)), id(of("hf/super_glue", a)));
  EXPECT_THAT(fault(of("hf/glue", "main")),
              HasSubstr("'data.glue.revision': got 'main', expected a commit of 40 hex digits"));
  EXPECT_THAT(fault("    run: [a]\n    data: {glue: {name: hf/glue}}\n"),
              HasSubstr("without its commit the data set may change unseen"));
  EXPECT_THAT(fault("    run: [a]\n    data: {x: {dir: ., revision: " + a + "}}\n"),
              HasSubstr("it is the commit of a published data set"));
}

TEST_F(ProgramTest, ItsScoreIsTheFirstMetricThatIsWritten) {
  const auto score = [&](const std::string& lines) {
    return score_of_program(planned("    run: [a]\n" + lines).trials.at(0).trial.config);
  };
  EXPECT_EQ(score("    metrics: {dev/loss: min, dev/acc: max}\n"), "dev/loss");
  EXPECT_EQ(score("    metrics: {dev/acc: max, dev/loss: min}\n"), "dev/acc");
  EXPECT_EQ(score("    metrics: {dev/acc: max, dev/loss: min}\n    score: dev/loss\n"), "dev/loss");
  EXPECT_EQ(score("    metrics: {dev/acc: max}\n"), "dev/acc");
  EXPECT_EQ(score(""), "");
}

class CodeTest : public testing::Test {
 protected:
  CodeTest() { write_text(folder_ / "train.py", "print(1)\n"); }

  void git_init(const std::string& below = ".") const {
    ASSERT_EQ(run_program({.words = {"git", "init", "-q", (folder_ / below).string()}}).status, 0);
  }
  std::vector<std::string> files(const std::vector<std::string>& patterns = {}) const {
    std::vector<std::string> names;
    for (const auto& [name, file] : code_snapshot(folder_.path(), patterns).files)
      names.push_back(name);
    return names;
  }
  std::string refusal(const std::vector<std::string>& patterns = {}) const {
    try {
      files(patterns);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }

  const TempFolder folder_;
};

/// Files that are not committed are part of the code; ignored ones are not.
TEST_F(CodeTest, HasTheFilesOfSubmodulesAsTheyAre) {
  git_init();
  write_text(folder_ / "lib/model.py", "1");
  write_text(folder_ / "lib/deep/inner.py", "2");
  write_text(folder_ / "lib/made.py", "3");
  write_text(folder_ / "lib/.gitignore", "made.py\n");
  git_init("lib");
  git_init("lib/deep");
  EXPECT_THAT(files(), ElementsAre("lib/deep/inner.py", "lib/model.py", "train.py"));
  const std::string before = code_snapshot(folder_.path(), {}).sha256;
  write_text(folder_ / "lib/deep/inner.py", "other");
  EXPECT_NE(code_snapshot(folder_.path(), {}).sha256, before);
}

TEST_F(CodeTest, HasTheFilesBehindALinkToAFolder) {
  git_init();
  write_text(folder_ / "source/model.py", "1");
  std::filesystem::create_directory_symlink("source", folder_ / "package");
  EXPECT_THAT(files(), ElementsAre("package/model.py", "source/model.py", "train.py"));
  const CodeSnapshot code = code_snapshot(folder_.path(), {});
  keep_code(code, folder_ / "store");
  EXPECT_EQ(read_text(code_folder(folder_ / "store", code.sha256) / "package/model.py"), "1");
}

TEST_F(CodeTest, KeepsLinksToItsOwnFiles) {
  git_init();
  write_text(folder_ / "source/model.py", "1");
  write_text(folder_ / "source/notes.txt", "no code");
  std::filesystem::create_directory_symlink(folder_ / "source", folder_ / "package");
  std::filesystem::create_directories(folder_ / "bin");
  std::filesystem::create_symlink("../package/model.py", folder_ / "bin/run.py");
  std::filesystem::create_symlink("source/notes.txt", folder_ / "alone.py");
  const CodeSnapshot code = code_snapshot(folder_.path(), {});
  const TempFolder store;
  keep_code(code, store.path());
  const std::filesystem::path kept = code_folder(store.path(), code.sha256);
  EXPECT_EQ(std::filesystem::read_symlink(kept / "package"), "source");
  EXPECT_EQ(std::filesystem::read_symlink(kept / "bin/run.py"), "../source/model.py");
  EXPECT_EQ(read_text(kept / "bin/run.py"), "1");
  EXPECT_FALSE(std::filesystem::is_symlink(kept / "alone.py")) << "the code lacks notes.txt";
  EXPECT_EQ(read_text(kept / "alone.py"), "no code");
  EXPECT_EQ(sha256_of_tree(kept), code.sha256);
  EXPECT_EQ(changes_of_code(code, kept), "");
  std::filesystem::remove(folder_ / "package");
  EXPECT_EQ(changes_of_code(code_snapshot(folder_.path(), {}), kept),
            "removed: bin/run.py, package/model.py");
}

/// As before links were kept: a link that is no longer there changes nothing but the copy.
TEST_F(CodeTest, HasOneHashWithLinksOrTheirFiles) {
  git_init();
  write_text(folder_ / "source/model.py", "1");
  std::filesystem::create_directory_symlink("source", folder_ / "package");
  const std::string linked = code_snapshot(folder_.path(), {}).sha256;
  std::filesystem::remove(folder_ / "package");
  write_text(folder_ / "package/model.py", "1");
  EXPECT_EQ(code_snapshot(folder_.path(), {}).sha256, linked);
}

TEST_F(CodeTest, BehindALinkThatLeadsOutIsRefused) {
  const TempFolder elsewhere;
  git_init();
  std::filesystem::create_directory_symlink(elsewhere.path(), folder_ / "package");
  write_text(elsewhere / "data.bin", "no code");
  EXPECT_THAT(files(), ElementsAre("train.py"));
  write_text(elsewhere / "model.py", "1");
  EXPECT_THAT(refusal(),
              HasSubstr("code: package is a link that leads out of " + folder_.path().string() +
                        ", and `code` includes package/model.py"));
}

TEST_F(CodeTest, ThatIsAPointerOfGitLfsIsRefusedByName) {
  write_text(folder_ / "table.py", "version https://git-lfs.github.com/spec/v1\noid sha256:" +
                                       std::string(64, 'a') + "\nsize 123456\n");
  EXPECT_THAT(refusal({"*.py"}), HasSubstr("table.py"));
}

/// The error has the line that leaves out the large files.
TEST_F(CodeTest, ThatIsTooLargeIsRefusedWithTheLineThatLeavesItOut) {
  write_text(folder_ / "src/model.py", "1");
  write_text(folder_ / "notebooks/runs.sh", std::string(60'000'000, 'x'));
  for (int file = 0; file < 12; ++file)
    write_text(folder_ / ("src/part" + std::to_string(file) + ".py"), std::string(2000, 'x'));
  const std::string message = refusal({"**/*"});
  EXPECT_THAT(message, HasSubstr("the code has 15 files of 60 MB, expected at most 5000 of 50 MB"));
  EXPECT_THAT(message, HasSubstr("such as code: [\"*.py\", \"src/**/*.py\"]; the largest: "
                                 "notebooks/runs.sh (60000 kB), src/part9.py (2 kB)"));
  EXPECT_EQ(std::ranges::count(message, '('), 10);
  EXPECT_EQ(refusal({"*.py", "src/**/*.py"}), "");
}

TEST_F(CodeTest, OfTooManyFilesIsRefused) {
  for (int file = 0; file < 5001; ++file)
    write_text(folder_ / ("made/" + std::to_string(file) + ".py"), "");
  EXPECT_THAT(refusal({"**/*.py"}),
              HasSubstr("the code has 5002 files of 0 MB, expected at most 5000 of 50 MB; leave "
                        "out files that are not code, such as code: [\"*.py\"]"));
}

TEST_F(ProgramTest, CodeIsRefusedThatIsNotThereOrHasSecrets) {
  const auto refused = [&](const std::vector<std::string>& patterns) {
    try {
      code_snapshot(folder_.path(), patterns);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refused({"src/**/*.py"}),
              HasSubstr("no file below " + folder_.path().string() + " matches 'src/**/*.py'"));
  for (const std::string& out :
       {(folder_ / "train.py").string(), std::string("../train.py"), std::string("/")})
    EXPECT_THAT(refused({out}), HasSubstr("leads out of " + folder_.path().string()));
  write_text(folder_ / ".env", "TOKEN=1");
  EXPECT_THAT(refused({"*"}), HasSubstr(".env may hold secrets"));
  EXPECT_EQ(refused({".env"}), "");
  std::filesystem::create_symlink("/etc/hostname", folder_ / "link.py");
  EXPECT_THAT(refused({"*.py"}), HasSubstr("link.py is a link that leads out of"));
}

/// A run's own store is beside the sweep. If its copies of the code counted as code, every trial would be new.
TEST_F(ProgramTest, CodeDoesNotCountWhatLiesInAStore) {
  const std::string before = code_snapshot(folder_.path(), {"**/*.py"}).sha256;
  write_text(folder_ / "store/uuid", "0");
  write_text(folder_ / "store/trials/a/work/train.py", "copy");
  write_text(folder_ / "store/code/b/train.py", "copy");
  EXPECT_EQ(code_snapshot(folder_.path(), {"**/*.py"}).sha256, before);
}

TEST_F(ProgramTest, NamesThatNoEventOrVariableCouldHaveAreRefused) {
  const auto metrics = [&](const std::string& given) {
    return fault("    run: [a]\n    metrics: {" + given + "}\n");
  };
  EXPECT_THAT(metrics("dev/acc@5: max"), HasSubstr("@ marks final values"));
  EXPECT_THAT(metrics("/acc: max"), HasSubstr("has no split"));
  EXPECT_THAT(metrics("dev/acc: max, test/acc: min"),
              HasSubstr("'acc' is better when max in one split"));
  EXPECT_THAT(metrics("dev/acc: max, dev/score: max"), HasSubstr("has the name of the score"));
  EXPECT_EQ(metrics("dev/score: max"), "");
  EXPECT_THAT(fault("    run: [a]\n    env: {RETHINK_EVENTS: x}\n"),
              HasSubstr("is not the name of a variable that a sweep may set"));
  write_text(folder_ / "x.txt", "x");
  EXPECT_THAT(fault("    run: [a]\n    data: {a-b: {file: x.txt}, a_b: {file: x.txt}}\n"),
              HasSubstr("a-b and a_b become the same variable, RETHINK_DATA_A_B"));
}

TEST_F(ProgramTest, CodeMustBeNamedWhereGitDoesNotKnowTheFolder) {
  try {
    code_snapshot(folder_.path(), {});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr(": fatal: not a git repository"));
  }
}

/// `plan` names the files whose change makes trials new ones.
TEST_F(ProgramTest, SaysWhichFilesOfTheCodeChanged) {
  write_text(folder_ / "old.py", "old");
  const CodeSnapshot before = code_snapshot(folder_.path(), {"*.py"});
  const std::filesystem::path store = folder_ / "store";
  keep_code(before, store);
  keep_code(before, store);
  const std::filesystem::path kept = code_folder(store, before.sha256);
  EXPECT_EQ(changes_of_code(before, kept), "");
  const auto writers = [](const std::filesystem::path& file) {
    return std::filesystem::status(file).permissions() & std::filesystem::perms(0222);
  };
  EXPECT_EQ(writers(kept / "train.py"), std::filesystem::perms::none);
  copy_tree(kept, folder_ / "copy");
  EXPECT_NE(writers(folder_ / "copy/train.py"), std::filesystem::perms::none);
  std::filesystem::remove_all(folder_ / "copy");
  write_text(folder_ / "train.py", "print(2)\n");
  write_text(folder_ / "new.py", "new");
  std::filesystem::remove(folder_ / "old.py");
  EXPECT_EQ(changes_of_code(code_snapshot(folder_.path(), {"*.py"}), kept),
            "train.py changed, new: new.py, removed: old.py");
  EXPECT_EQ(changes_of_code(before, store / "code/none"), "");
  EXPECT_THROW(
      keep_code({.sha256 = std::string(64, '0'), .folder = folder_.path(), .files = before.files},
                store),
      std::exception);
}

TEST(CodePattern, MatchesNamesAndFolders) {
  EXPECT_TRUE(matches_pattern("a.py", "*.py"));
  EXPECT_FALSE(matches_pattern("src/a.py", "*.py"));
  EXPECT_TRUE(matches_pattern("src/a.py", "src/*.py"));
  EXPECT_TRUE(matches_pattern("src/a/b/c.py", "src/**/*.py"));
  EXPECT_TRUE(matches_pattern("src/a.py", "src/**/*.py"));
  EXPECT_TRUE(matches_pattern("a.py", "**/*.py"));
  EXPECT_FALSE(matches_pattern("a.pyc", "**/*.py"));
}

TEST_F(ProgramTest, ReadsMetricsFromItsOutputByExpressions) {
  const std::string run = "    run: [python3, train.py]\n";
  const auto with = [&](const std::string& stdout_line) { return run + stdout_line; };
  EXPECT_EQ(fault(with("    stdout: {dev/acc: 'step {step} acc={value}'}\n")), "");
  EXPECT_EQ(fault(with("    stdout: {dev/acc: 'acc={value}'}\n    step: count\n")), "");
  EXPECT_NE(id(with("    stdout: {dev/acc: 'acc={value}'}\n    step: count\n")), id(run));
  EXPECT_THAT(fault(with("    stdout: {dev/acc: 'acc={value}'}\n")),
              HasSubstr("own.yaml:7:23: error: 'stdout.dev/acc': has no {step}; write it"));
  EXPECT_THAT(fault(with("    stdout: {dev/acc: 'acc={value} {step}'}\n    step: count\n")),
              HasSubstr("has a {step}, and `step: count` counts lines"));
  EXPECT_THAT(fault(with("    stdout: {dev/acc: 'acc=({value} {step}'}\n")),
              HasSubstr("is not a regular expression of RE2: missing"));
  EXPECT_THAT(fault(with("    nan: {dev/acc: ignore}\n")),
              HasSubstr("'nan': got dev/acc, expected one of 'metrics'"));
}

TEST_F(ProgramTest, IsRefusedWhereThisMachineHasNoSuchProgram) {
  EXPECT_EQ(fault("    run: [pythn3, train.py]\n"), "") << "what was run elsewhere can be shown";
  choices_.machine = Machine{};
  EXPECT_EQ(fault("    run: [sh, train.py]\n"), "");
  EXPECT_THAT(fault("    run: [shh, train.py]\n"),
              HasSubstr("own.yaml:6:10: error: 'run': got 'shh', which is not on PATH here"));
  EXPECT_EQ(fault("    run: [shh, train.py]\n    env: {PATH: \"{code}/bin\"}\n"), "");
  EXPECT_THAT(fault("    run: [./run.sh]\n"), HasSubstr("is not among the files of `code`"));
  EXPECT_THAT(fault("    run: [./train.py]\n"), HasSubstr("may not be executed: `chmod +x "));
  std::filesystem::permissions(folder_ / "train.py", std::filesystem::perms::owner_all);
  EXPECT_EQ(fault("    run: [./train.py]\n"), "");
  EXPECT_THAT(fault("    run: [/nowhere/train]\n"),
              HasSubstr("'run': got '/nowhere/train', which does not exist"));
}

TEST_F(ProgramTest, NotesAPassedVariableThatIsNotSet) {
  const std::string run = "    run: [sh, train.py]\n    pass: [RETHINK_TEST_UNSET, HOME]\n";
  EXPECT_THAT(planned(run).notes, testing::IsEmpty()) << "what was run elsewhere can be shown";
  choices_.machine = Machine{};
  const std::vector<Note> notes = planned(run).notes;
  ASSERT_THAT(placed_codes_of(notes), ElementsAre("own.yaml:7:11 unset-variable"));
  EXPECT_THAT(notes.at(0).text, HasSubstr("RETHINK_TEST_UNSET is not set here"));
}

/// One Python installation does not find the module, and another does.
TEST_F(ProgramTest, NotesAPythonThatDoesNotFindTheHelperModule) {
  choices_.machine = Machine{};
  const auto python = [&](const std::string& name, int status) {
    const std::filesystem::path file = folder_ / name;
    write_text(file, "#!/bin/sh\nexit " + std::to_string(status) + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return "    run: [" + file.string() + ", train.py]\n";
  };
  const std::string lacks = python("python3", 3), has = python("python3.12", 0);
  EXPECT_THAT(planned(lacks).notes, testing::IsEmpty());
  write_text(folder_ / "train.py", "import random, rethink  # to report\n");
  EXPECT_THAT(planned(has).notes, testing::IsEmpty());
  const std::vector<Note> notes = planned(lacks).notes;
  ASSERT_THAT(placed_codes_of(notes), ElementsAre("own.yaml:6:10 missing-helper-module"));
  EXPECT_THAT(notes.at(0).text, HasSubstr("beside the program and add rethink.py to `code`"));
  EXPECT_THAT(planned(lacks + "    env: {PYTHONPATH: lib}\n").notes, testing::IsEmpty());
  write_text(folder_ / "rethink.py", "");
  EXPECT_THAT(planned(lacks).notes, testing::IsEmpty());
}

}  // namespace
}  // namespace rethink
