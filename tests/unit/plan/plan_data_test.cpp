// Files that trials read: their content is part of a trial.
#include "core/system/hash.h"
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
  EXPECT_THAT(error(text),
              HasSubstr("data set 'glue/cola' needs dev.tsv, train.tsv in cola, but no folder of "
                        "data sets is named: give --data DIR or set RETHINK_DATA"));
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
  write_text(folder_ / "data/wiki/dev", "d\r\n");  // as published: its marks are what it is
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
  EXPECT_THAT(plan(text).notes,
              ElementsAre(HasSubstr("cola/dev.tsv here is not the file that was published")));
}

TEST_F(PlanDataTest, DataThatIsNotHereIsWhatEarlierTrialsReadWhereNothingShallRun) {
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

TEST_F(PlanDataTest, ThatThereIsNoFolderIsSaidOnceOfManyFiles) {
  const std::string said =
      error(one_stage("    data: {dataset: text, path: a.txt, more: [b.txt, c.txt]}\n"));
  EXPECT_THAT(said, HasSubstr("data set 'text' needs a.txt and 2 others, but no folder of data"));
  EXPECT_THAT(said, Not(HasSubstr("b.txt, but")));
}

TEST_F(PlanDataTest, AFileThatAnOptionNamesAndThatIsNotHereIsNoOther) {
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

}  // namespace
}  // namespace rethink
