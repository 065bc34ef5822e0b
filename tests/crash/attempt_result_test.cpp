// Files that a trial leaves when it runs again, and failures after its result is written.
#include "core/files/file.h"
#include "core/files/hash.h"
#include "core/store_files/result_file.h"
#include "experiments/attempt/trial_files.h"
#include "tests/crash/attempt_process.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using AttemptResult = AttemptProcess;

TEST_F(AttemptResult, WeightsMadeAgainMustBeTheSame) {
  const Trial trial = add({});
  const TrialFolder folder = store_.folder(trial);
  EXPECT_EQ(run(trial), 0);
  run_again(folder);
  EXPECT_EQ(run(trial), 0);
  EXPECT_EQ(read_result(folder)->at("attempt"), 2);
  run_again(folder);
  Json old = sound_result(folder.old_result()).value();
  old["artifacts"][0]["sha256"] = std::string(64, '0');
  write_text(folder.old_result(), stored_text(old));
  EXPECT_EQ(run(trial), static_cast<int>(AttemptExit::failed));
  EXPECT_THAT(events_of(folder, 3).back().at("message").get<std::string>(),
              HasSubstr("weights differ from those of the first result"));
}

TEST_F(AttemptResult, FilesOfTheEarlierResultStayUntilNewOnesAreEqual) {
  const Trial trial = add({{"tag", "x"}});
  const TrialFolder folder = store_.folder(trial);
  ASSERT_EQ(run(trial), 0);
  Json old = read_result(folder).value();
  const std::filesystem::path file =
      folder.path() / old.at("artifacts")[0].at("file").get<std::string>();
  const std::string bytes = read_file(file), other = "made by another build";
  run_again(folder);
  write_text(file, other);
  old["artifacts"][0]["sha256"] = sha256_hex(other);
  write_text(folder.old_result(), stored_text(old));
  EXPECT_EQ(run(trial), static_cast<int>(AttemptExit::failed));
  EXPECT_EQ(read_file(file), other);
  EXPECT_TRUE(std::filesystem::exists(folder.repetition()));

  old["artifacts"][0]["sha256"] = sha256_hex(bytes);
  write_text(folder.old_result(), stored_text(old));
  EXPECT_EQ(run(trial), 0);
  EXPECT_EQ(read_file(file), bytes);
  EXPECT_EQ(read_result(folder)->at("artifacts"), old.at("artifacts"));
  EXPECT_FALSE(std::filesystem::exists(folder.repetition()));
  EXPECT_EQ(contradiction_of(stored_result(folder.result()).value(), folder.path()), "");
}

TEST_F(AttemptResult, ASelectWithSeveralSeedsIsMadeAgain) {
  Json groups = Json::array({{{"trials", Json::array()}}});
  Needs needs;
  for (const int64_t seed : {0, 1}) {
    const Trial candidate = store_.add("noop", {{"tag", "x"}}, seed);
    ASSERT_EQ(run(candidate), 0);
    groups[0]["trials"].push_back(candidate.id);
    needs["from"].push_back(candidate.id);
  }
  const Trial select =
      store_.add("select", {{"by", "dev/score"}, {"groups", groups}}, std::nullopt, needs);
  const TrialFolder folder = store_.folder(select);
  EXPECT_EQ(run(select), 0);
  run_again(folder);
  EXPECT_EQ(run(select), 0);
  EXPECT_EQ(read_result(folder)->at("artifacts").size(), 2u);
  run_again(folder);
  Json old = sound_result(folder.old_result()).value();
  old["artifacts"][1]["sha256"] = std::string(64, '0');
  write_text(folder.old_result(), stored_text(old));
  EXPECT_EQ(run(select), static_cast<int>(AttemptExit::failed));
}

TEST_F(AttemptResult, ADamagedOldResultIsNothingToCompareWith) {
  const Trial trial = add({});
  const TrialFolder folder = store_.folder(trial);
  EXPECT_EQ(run(trial), 0);
  run_again(folder);
  write_text(folder.old_result(), "{");
  EXPECT_EQ(run(trial), 0);
}

TEST_F(AttemptResult, WhatFailsBehindTheResultCostsNothing) {
  const Trial trial = add({{"steps", 20}, {"checkpoint_every", 5}});
  const TrialFolder folder = store_.folder(trial);
  const auto library = std::filesystem::path(RETHINK_BINARY_DIR) / "noop/libkept_checkpoints.so";
  if (!std::filesystem::exists(library)) GTEST_SKIP() << "a sanitizer wants to be loaded first";
  EXPECT_EQ(run_attempt_of(kWorker, store_.request(trial), {{"LD_PRELOAD", library.string()}}), 0);
  EXPECT_TRUE(std::filesystem::exists(folder.checkpoints()));
  ASSERT_EQ(read_result(folder)->at("artifacts").size(), 1u);
  EXPECT_TRUE(std::filesystem::exists(
      folder.path() / read_result(folder)->at("artifacts")[0].at("file").get<std::string>()));
  EXPECT_EQ(events_of(folder, 1).back().at("outcome"), "done");
}

}  // namespace
}  // namespace rethink
