// Sweeps that mean more than anybody can run are refused before they are expanded.
#include "tests/unit/schedule/plan_fixture.h"

namespace rethink {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string keys(int count, const std::string& of_each) {
  std::string text;
  for (int i = 0; i < count; ++i) text += fmt::format("k{}: {}, ", i, of_each);
  return text;
}

class PlanLimitsTest : public PlanFixture {};

TEST_F(PlanLimitsTest, AGridIsMultipliedBeforeItIsMade) {
  const std::string hundred = "{from: 1, to: 100, step: 1}";
  EXPECT_THAT(error(one_stage("    grid: {batch: " + hundred + ", steps: " + hundred +
                              ", model.layers: " + hundred + ", model.width: " + hundred +
                              ", optimizer.lr: " + hundred + "}\n")),
              HasSubstr("4:3: error: stage 'pretrain' makes 10000000000 points (100 x 100 x 100 x "
                        "100 x 100), expected at most 100000"));
  EXPECT_THAT(
      error(one_stage("    grid: {" + keys(100, "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]") + "}\n")),
      HasSubstr("makes 1e+100 points"));
}

TEST_F(PlanLimitsTest, PointsOfConditionalAxesAreCountedAsTheyAreMade) {
  std::string when, cases;
  for (int i = 0; i < 17; ++i) {  // 131,072 points
    cases += fmt::format("k{}: {{x: {{}}, y: {{}}}}, ", i);
    when += fmt::format("k{}: {{batch: 1}}, ", i);
  }
  EXPECT_THAT(error(one_stage("    grid: {batch: [1]}\n    cases: {" + cases + "}\n    when: {" +
                              when + "}\n    exclude: {batch: 1}\n")),
              HasSubstr("stage 'pretrain' makes more than 100000 points"));
}

TEST_F(PlanLimitsTest, AxesAndTheirValuesHaveALimit) {
  EXPECT_THAT(error(one_stage("    grid: {" + keys(101, "[1]") + "}\n")),
              HasSubstr("error: more than 100 axes in one stage"));
  EXPECT_THAT(error(one_stage("    cases: {" + keys(101, "{x: {}}") + "}\n")),
              HasSubstr("error: more than 100 axes in one stage"));
  EXPECT_THAT(error(one_stage("    grid: {" + keys(50, "{from: 1, to: 60000, step: 1}") + "}\n")),
              HasSubstr("120000 values or more on the axes of one stage, expected at most 100000"));
  std::string stages = "sweep: s\nstages:\n";
  for (int i = 0; i < 50; ++i)
    stages += fmt::format(
        "  s{}: {{job: pretrain, grid: {{batch: {{from: 1, to: 60000, step: 1}}}}}}\n", i);
  EXPECT_THAT(error(stages),
              HasSubstr("4:3: error: 120000 values or more on the axes of the sweep's stages"));
}

TEST_F(PlanLimitsTest, TrialsHaveALimit) {
  std::string seeds = "0";
  for (int i = 1; i < 1000; ++i) seeds += fmt::format(", {}", i);
  EXPECT_THAT(
      error("sweep: s\nseeds: [" + seeds +
            "]\nstages:\n  a: {job: pretrain, grid: {batch: {from: 1, to: 300, step: 1}}}\n"),
      HasSubstr("4:3: error: stage 'a' makes 300000 trials (300 points x 1000 seeds), "
                "expected at most 200000 in a sweep"));
}

TEST_F(PlanLimitsTest, SeedsAreAListOfNotTooMany) {
  EXPECT_THAT(error(one_stage("    seeds: 0..9223372036854775807\n")),
              HasSubstr("6:12: error: 'seeds': got '0..9223372036854775807', expected a list such "
                        "as [0, 1, 2]; a range is for --seeds"));
  EXPECT_THAT(error(one_stage("    seeds: 0..-1\n")), HasSubstr("expected a list such as"));
  std::string many = "0";
  for (int i = 1; i <= 100'000; ++i) many += fmt::format(",{}", i);
  EXPECT_THAT(error(one_stage("    seeds: [" + many + "]\n")),
              HasSubstr("6:12: error: 'seeds': got 100001 seeds, expected at most 100000"));
}

TEST_F(PlanLimitsTest, StagesProfilesAndFilesHaveALimit) {
  std::string stages = "sweep: s\nstages:\n", profiles = one_stage("") + "profiles:\n";
  for (int i = 0; i < 1001; ++i) stages += fmt::format("  s{}: {{job: pretrain}}\n", i);
  EXPECT_THAT(error(stages), HasSubstr("1003:3: error: more than 1000 stages"));
  for (int i = 0; i < 101; ++i) profiles += fmt::format("  p{}: {{seeds: [1]}}\n", i);
  EXPECT_THAT(error(profiles), HasSubstr("7:3: error: 101 profiles, expected at most 100"));
  // Each file uses the one before it twice: the last would read it a thousand times.
  write_text(folder_ / "f0.yaml", one_stage(""));
  for (int i = 1; i <= 12; ++i) {
    const std::string use = fmt::format("{{use: f{}.yaml#{}}}", i - 1, i == 1 ? "pretrain" : "a");
    write_text(folder_ / fmt::format("f{}.yaml", i),
               fmt::format("sweep: s\nstages:\n  a: {}\n  b: {}\n", use, use));
  }
  EXPECT_THAT(error("sweep: s\nstages: {a: {use: f12.yaml#a}}\n"),
              HasSubstr("'use' reads more than 1000 files"));
}

}  // namespace
}  // namespace rethink
