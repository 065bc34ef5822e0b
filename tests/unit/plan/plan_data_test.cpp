// Files that trials read: their content is part of a trial's identity.
#include "core/files/hash.h"
#include "tests/unit/plan/plan_fixture.h"

namespace rethink {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class PlanDataTest : public PlanFixture {};

TEST_F(PlanDataTest, DataFilesArePartOfATrial) {
  const std::string text = one_stage("    data.dataset: glue/cola\n");
  EXPECT_THAT(
      error(text),
      HasSubstr("data set 'glue/cola' needs dev.tsv, train.tsv in cola, but no folder of "
                "data sets is named: give --data DIR or set RETHINK_DATA; to get the data set: "));
  choices_.data = folder_ / "data";
  EXPECT_THAT(error(text),
              HasSubstr("which are not there, since there is no folder " +
                        (folder_ / "data: run `rethink data get glue/cola`").string()));
  std::filesystem::create_directory(folder_ / "data");
  EXPECT_THAT(error(text), HasSubstr("which are not there: run `rethink data get glue/cola`"));
  write_text(folder_ / "data/cola/train.tsv", "train");
  EXPECT_THAT(error(text), HasSubstr("/data/cola/dev.tsv, which does not exist: run `rethink data "
                                     "get glue/cola`"));
  write_text(folder_ / "data/cola/dev.tsv", "dev");
  const Trial first = plan(text).trials[0].trial;
  EXPECT_EQ(first.data.at("cola/train.tsv"), sha256_hex("train"));
  write_text(folder_ / "data/cola/train.tsv", "other");
  EXPECT_NE(plan(text).trials[0].trial.id, first.id);
}

TEST_F(PlanDataTest, FilesThatAnOptionAsksForCountWhereItDoes) {
  const auto text = [](const std::string& test) {
    return one_stage("    data: {dataset: swag, test: " + test + "}\n");
  };
  choices_.data = folder_ / "data";
  write_text(folder_ / "data/swag/train.csv", "train");
  const Trial without = plan(text("false")).trials[0].trial;
  EXPECT_EQ(without.data,
            (std::map<std::string, std::string>{{"swag/train.csv", sha256_hex("train")}}));
  EXPECT_THAT(error(text("true")),
              HasSubstr("data set 'swag' needs " + (folder_ / "data/swag/test.csv").string() +
                        ", which does not exist: run `rethink data get swag`"));
  write_text(folder_ / "data/swag/test.csv", "test");
  const Trial with = plan(text("true")).trials[0].trial;
  EXPECT_EQ(with.data.at("swag/test.csv"), sha256_hex("test"));
  EXPECT_EQ(plan(text("false")).trials[0].trial.id, without.id);
  write_text(folder_ / "data/swag/test.csv", "other");
  EXPECT_NE(plan(text("true")).trials[0].trial.id, with.id);
}

TEST_F(PlanDataTest, TextWithMarksThatWereOnceLearnedHasAnotherIdentity) {
  choices_.data = folder_ / "data";
  write_text(folder_ / "data/wiki/dev", "d\r\n");  // as published: its marks belong to its content
  const auto hash_of = [&](const std::string& text) {
    write_text(folder_ / "data/wiki/train", text);
    const auto data = plan(one_stage("    data.dataset: wikitext\n")).trials[0].trial.data;
    EXPECT_EQ(data.at("wiki/dev"), sha256_hex("d\r\n"));
    return data.at("wiki/train");
  };
  EXPECT_EQ(hash_of("one\ntwo\n"), sha256_hex("one\ntwo\n"));
  EXPECT_EQ(hash_of("one\rtwo\n"), sha256_hex("one\rtwo\n"));
  EXPECT_EQ(hash_of("one\r\ntwo\n"), sha256_hex("one\r\ntwo\n") + "+plain");
  EXPECT_EQ(hash_of("\xEF\xBB\xBFone\n"), sha256_hex("\xEF\xBB\xBFone\n") + "+plain");
}

TEST_F(PlanDataTest, SaysThatDataIsNotWhatWasPublished) {
  const std::string text = one_stage("    data.dataset: glue/cola\n");
  choices_.data = folder_ / "data";
  write_text(folder_ / "data/cola/train.tsv", "train");
  write_text(folder_ / "data/cola/dev.tsv", "dev");
  EXPECT_THAT(plan(text).notes, IsEmpty());
  write_text(folder_ / "data/cola/dev.tsv", "changed");
  EXPECT_THAT(notes_on(text), ElementsAre("test/one unpublished-data"));
  EXPECT_THAT(plan(text).notes.at(0).text, HasSubstr("cola/dev.tsv"));
}

TEST_F(PlanDataTest, MissingDataCountsAsReadByEarlierTrialsIfNothingRuns) {
  const std::string text = one_stage("    data.dataset: glue/cola\n");
  choices_.data = folder_ / "data";
  write_text(folder_ / "data/cola/train.tsv", "train");
  write_text(folder_ / "data/cola/dev.tsv", "dev");
  const Trial first = plan(text).trials[0].trial;
  choices_.data.clear();
  choices_.recorded = [&] { return first.data; };
  EXPECT_EQ(plan(text).trials[0].trial.id, first.id);
  choices_.recorded = [] {
    return std::map<std::string, std::string>{{"cola/train.tsv", ""}, {"cola/dev.tsv", ""}};
  };
  EXPECT_THAT(error(text), HasSubstr("cola/dev.tsv is not here, and trials of this store read "
                                     "several versions of it"));
  choices_.recorded = [] { return std::map<std::string, std::string>{}; };
  EXPECT_THAT(error(text), HasSubstr("no folder of data sets is named"));
}

TEST_F(PlanDataTest, DataThatNoTrialReadIsThePublishedOneWhereNothingShallRun) {
  const std::string text = one_stage("    data.dataset: glue/cola\n");
  choices_.data = folder_ / "data";
  write_text(folder_ / "data/cola/train.tsv", "train");
  write_text(folder_ / "data/cola/dev.tsv", "dev");
  const Trial here = plan(text).trials[0].trial;
  std::filesystem::remove(folder_ / "data/cola/dev.tsv");
  EXPECT_THAT(error(text), HasSubstr("dev.tsv, which does not exist"));
  choices_.recorded = [] { return std::map<std::string, std::string>{}; };
  EXPECT_EQ(plan(text).trials[0].trial.id, here.id);
  choices_.recorded = [] {
    return std::map<std::string, std::string>{{"cola/dev.tsv", sha256_hex("another")}};
  };
  EXPECT_NE(plan(text).trials[0].trial.id, here.id);
  std::filesystem::remove(folder_ / "data/cola/train.tsv");
  EXPECT_THAT(error(text), HasSubstr("train.tsv, which does not exist"));
}

/// A stage that reads a file, two that need it, and one that reads none.
const char* const kStagesBehindAFile =
    "sweep: s\nseeds: [0, 1]\nstages:\n"
    "  read: {job: pretrain, data.dataset: glue/cola, grid: {batch: [1, 2]}}\n"
    "  follow: {job: finetune, needs: {init: read}, data.dataset: toy}\n"
    "  best: {job: select, needs: {from: follow}, over: [read.batch], by: dev/accuracy}\n"
    "  apart: {job: pretrain, data.dataset: toy}\n";

TEST_F(PlanDataTest, ATrialOfAFileThatNobodyKnowsHasNoIdNorHasOneThatNeedsIt) {
  choices_.recorded = [] { return std::map<std::string, std::string>{}; };
  EXPECT_THAT(error(kStagesBehindAFile), HasSubstr("no folder of data sets is named"));
  choices_.may_lack_files = true;
  const Plan lacking = plan(kStagesBehindAFile);
  choices_ = {};
  choices_.paths = {folder_.path()};
  choices_.data = folder_ / "data";
  write_text(folder_ / "data/cola/train.tsv", "train");
  write_text(folder_ / "data/cola/dev.tsv", "dev");
  const Plan whole = plan(kStagesBehindAFile);
  ASSERT_EQ(lacking.trials.size(), whole.trials.size());
  for (size_t i = 0; i < whole.trials.size(); ++i) {
    const PlannedTrial &without = lacking.trials[i], &with = whole.trials[i];
    EXPECT_EQ(without.labels, with.labels);
    EXPECT_EQ(without.trial.seed, with.trial.seed);
    EXPECT_THAT(with.lacks, IsEmpty());
    if (with.stage == "apart") {
      EXPECT_EQ(without.trial.id, with.trial.id);
    } else {
      EXPECT_EQ(without.trial.id, "") << with.stage;
      EXPECT_THAT(without.lacks, ElementsAre("`rethink data get glue/cola`")) << with.stage;
    }
  }
}

/// Else a user would get one data set, and then be told of the next.
TEST_F(PlanDataTest, ATrialWithoutAnIdAlsoLacksMissingFilesOfKnownContent) {
  choices_.recorded = [] {
    return std::map<std::string, std::string>{{"cola/train.tsv", sha256_hex("train")},
                                              {"cola/dev.tsv", sha256_hex("dev")}};
  };
  choices_.may_lack_files = true;
  const std::string get = "`rethink data get glue/cola`";
  EXPECT_THAT(plan(kStagesBehindAFile).trials.front().lacks, IsEmpty());
  const Plan made = plan(
      "sweep: s\nseeds: [0]\nstages:\n"
      "  read: {job: pretrain, data: {dataset: text, path: mine.txt}, grid: {batch: [1, 2]}}\n"
      "  follow: {job: finetune, needs: {init: read}, data.dataset: glue/cola}\n"
      "  best: {job: select, needs: {from: follow}, over: [read.batch], by: dev/accuracy}\n");
  for (const PlannedTrial& trial : made.trials) {
    EXPECT_EQ(trial.lacks.contains(get), trial.stage != "read") << trial.stage;
    EXPECT_FALSE(trial.lacks.empty()) << trial.stage;
  }
}

TEST_F(PlanDataTest, AFileWithSeveralVersionsOnRecordIsLackingWhereFilesMayBe) {
  choices_.may_lack_files = true;
  choices_.recorded = [] { return std::map<std::string, std::string>{{"cola/train.tsv", ""}}; };
  EXPECT_THAT(plan(one_stage("    data.dataset: glue/cola\n")).trials[0].lacks,
              ElementsAre("name the folder with the cola/train.tsv that is meant by --data, since "
                          "trials of this store read several"));
}

TEST_F(PlanDataTest, WeightsThatAreNotHereAreLackingWhereFilesMayBe) {
  const std::string text = "sweep: s\nstages:\n  b: {job: finetune, init: {file: weights/w}}\n";
  EXPECT_THAT(error(text), HasSubstr("weights/w does not exist"));
  choices_.may_lack_files = true;
  const PlannedTrial trial = plan(text).trials[0];
  EXPECT_EQ(trial.trial.id, "");
  EXPECT_THAT(trial.lacks, ElementsAre("weights/w by `make weights` or `rethink import`"));
}

TEST_F(PlanDataTest, AMissingFolderIsReportedOnceForManyFiles) {
  const std::string said =
      error(one_stage("    data: {dataset: text, path: a.txt, more: [b.txt, c.txt]}\n"));
  EXPECT_THAT(said, HasSubstr("data set 'text' needs a.txt and 2 others, which are not beside"));
  EXPECT_THAT(said, Not(HasSubstr("b.txt, which")));
}

TEST_F(PlanDataTest, AMissingFileOfAnOptionDoesNotMatchAnother) {
  choices_.recorded = [] {
    return std::map<std::string, std::string>{{"data.path=kjv.txt", "0123"}};
  };
  const auto text = [](const std::string& path) {
    return one_stage("    data: {dataset: text, path: " + path + "}\n");
  };
  EXPECT_EQ(plan(text("kjv.txt")).trials[0].trial.data.at("data.path"), "0123");
  EXPECT_THAT(error(text("other.txt")), HasSubstr("data set 'text' needs other.txt"));
}

TEST_F(PlanDataTest, FilesThatAnOptionNamesCountByContentAlone) {
  choices_.data = folder_ / "data";
  const auto trial_of = [&](const std::string& path) {
    return plan(one_stage("    data: {dataset: text, path: " + path + "}\n")).trials[0].trial;
  };
  write_text(folder_ / "data/kjv.txt", "In the beginning");
  const Trial first = trial_of("kjv.txt");
  EXPECT_EQ(first.data,
            (std::map<std::string, std::string>{{"data.path", sha256_hex("In the beginning")}}));
  write_text(folder_ / "data/sub/other.txt", "In the beginning");
  EXPECT_EQ(trial_of("sub/other.txt").id, first.id);
  EXPECT_EQ(trial_of((folder_ / "data/sub/other.txt").string()).id, first.id);
  write_text(folder_ / "data/kjv.txt", "And the earth");
  EXPECT_NE(trial_of("kjv.txt").id, first.id);
}

TEST_F(PlanDataTest, ARememberedHashIsNotReadFromAnotherFile) {
  choices_.data = folder_ / "data";
  const auto file = folder_ / "data/kjv.txt";
  const std::string text = one_stage("    data: {dataset: text, path: kjv.txt}\n");
  const auto past = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  write_text(file, "one");
  std::filesystem::last_write_time(file, past);
  EXPECT_EQ(plan(text).trials[0].trial.data.at("data.path"), sha256_hex("one"));
  EXPECT_FALSE(std::filesystem::is_empty(folder_ / "cache/rethink/hashes"));
  EXPECT_EQ(plan(text).trials[0].trial.data.at("data.path"), sha256_hex("one"));
  write_text(file, "two");
  std::filesystem::last_write_time(file, past + std::chrono::seconds(1));
  EXPECT_EQ(plan(text).trials[0].trial.data.at("data.path"), sha256_hex("two"));
}

/// A path is searched from the file that contains it, then from the folder of data sets.
TEST_F(PlanDataTest, LooksForARelativePathBesideWhatWritesIt) {
  const std::string text = one_stage("    data: {dataset: text, path: own/text.txt}\n");
  choices_.data = folder_ / "data";
  std::filesystem::create_directory(folder_ / "data");
  EXPECT_THAT(error(text), HasSubstr("give 'path' a path relative to the file that contains it, or "
                                     "to the folder of data sets"));
  const std::filesystem::path among_data = folder_ / "data/own/text.txt",
                              beside = folder_ / "own/text.txt";
  write_text(among_data, "one");
  const PlannedTrial far = plan(text).trials[0];
  EXPECT_EQ(far.trial.config["data"]["path"], "own/text.txt");
  write_text(beside, "one");
  const Plan near = plan(text);
  EXPECT_EQ(near.trials[0].trial.id, far.trial.id) << "a file counts by its content";
  EXPECT_EQ(near.trials[0].trial.config["data"]["path"], beside.string());
  ASSERT_THAT(placed_codes_of(near.notes), ElementsAre("sweep.yaml:6:33 ambiguous-path"));
  EXPECT_THAT(near.notes.at(0).text, testing::StartsWith(beside.string() + " is read"));
  EXPECT_THAT(near.notes.at(0).text, HasSubstr(among_data.string()));
  std::filesystem::remove(among_data);
  EXPECT_THAT(plan(text).notes, IsEmpty());
  choices_.data.clear();
  EXPECT_EQ(plan(text).trials[0].trial.id, far.trial.id) << "no folder of data sets is needed";
  write_text(folder_ / "presets/data/mine.yaml", "{dataset: text, path: preset.txt}");
  write_text(folder_ / "presets/data/preset.txt", "one");
  EXPECT_EQ(plan(one_stage("    data: {preset: mine}\n")).trials[0].trial.id, far.trial.id);
}

/// A flag is in no file, so its paths begin at the current folder.
TEST_F(PlanDataTest, LooksForThePathOfAFlagInTheCurrentFolder) {
  const std::string text = one_stage("    data: {dataset: text, path: a.txt}\n");
  write_text(folder_ / "a.txt", "beside the sweep");
  write_text(folder_ / "here/a.txt", "beside the sweep");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_ / "here");
  const Plan made = plan_set(text, {"data.path=a.txt"});
  std::filesystem::current_path(before);
  EXPECT_EQ(made.trials[0].trial.config["data"]["path"], (folder_ / "here/a.txt").string());
  EXPECT_EQ(made.trials[0].trial.id, plan(text).trials[0].trial.id);
}

/// A store's trials may have found it beside a sweep, by its whole path.
TEST_F(PlanDataTest, AMissingFileIsRecognisedByTheEndOfItsPath) {
  const std::string text = one_stage("    data: {dataset: text, path: own/a.txt}\n");
  std::map<std::string, std::string> recorded = {{"data.path=/there/own/a.txt", "0123"},
                                                 {"data.path=/there/other.txt", "4567"}};
  choices_.recorded = [&] { return recorded; };
  EXPECT_EQ(plan(text).trials[0].trial.data.at("data.path"), "0123");
  recorded["data.path=/elsewhere/own/a.txt"] = "89ab";
  EXPECT_THAT(error(text), HasSubstr("trials of this store read several versions of it"));
}

}  // namespace
}  // namespace rethink
