// Sweeps with more trials than anybody can run are refused before they are expanded.
#include <fmt/format.h>

#include "tests/unit/plan/plan_fixture.h"

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
  // Each file uses the file before it twice, so the last file needs more than a thousand reads.
  write_text(folder_ / "f0.yaml", one_stage(""));
  for (int i = 1; i <= 12; ++i) {
    const std::string use = fmt::format("{{use: f{}.yaml#{}}}", i - 1, i == 1 ? "pretrain" : "a");
    write_text(folder_ / fmt::format("f{}.yaml", i),
               fmt::format("sweep: s\nstages:\n  a: {}\n  b: {}\n", use, use));
  }
  EXPECT_THAT(error("sweep: s\nstages: {a: {use: f12.yaml#a}}\n"),
              HasSubstr("'use' reads more than 1000 files"));
}

TEST_F(PlanLimitsTest, ConditionsAndTheirKeysHaveALimit) {
  std::string many, wide;
  for (int i = 0; i <= 10'000; ++i) many += "{batch: 1}, ";
  EXPECT_THAT(error(one_stage("    grid: {batch: [1, 2]}\n    exclude: [" + many + "]\n")),
              HasSubstr("7:14: error: 10001 conditions in one list, expected at most 10000; name "
                        "several values in one condition"));
  for (int i = 0; i <= 50; ++i) wide += fmt::format("k{}: 1, ", i);
  for (const char* word : {"    exclude: {", "    when: {batch: {"}) {
    const std::string end = std::string(word).ends_with("batch: {") ? "}}\n" : "}\n";
    EXPECT_THAT(error(one_stage("    grid: {batch: [1, 2]}\n" + std::string(word) + wide + end)),
                HasSubstr("more than 50 different keys in the conditions of one list"));
  }
}

TEST_F(PlanLimitsTest, ThousandsOfConditionsDropTheirPointsAndNoOther) {
  std::string excluded;
  std::set<std::string> left;
  for (int batch = 1; batch <= 50; ++batch) {
    for (int steps = 1; steps <= 50; ++steps) {
      const bool stays = (batch * 7 + steps * 13) % 10 == 0;
      if (stays) left.insert(fmt::format("{} {}", batch, steps));
      if (!stays) excluded += fmt::format("      - {{batch: {}.0, steps: {}}}\n", batch, steps);
    }
  }
  const Plan plan = this->plan(
      one_stage("    grid: {batch: {from: 1, to: 50, step: 1}, steps: {from: 1, to: 50, step: 1}}\n"
                "    exclude:\n" +
                excluded));
  std::set<std::string> planned;
  for (const PlannedTrial& trial : plan.trials)
    planned.insert(trial.labels.at("batch") + " " + trial.labels.at("steps"));
  EXPECT_EQ(planned, left);
}

TEST_F(PlanLimitsTest, StagesBehindAStageHaveALimit) {
  std::string chain = "sweep: s\nstages:\n  s0: {job: pretrain}\n";
  for (int i = 1; i <= 101; ++i)
    chain += fmt::format("  s{}: {{job: finetune, needs: {{init: s{}}}}}\n", i, i - 1);
  EXPECT_THAT(error(chain),
              HasSubstr("104:3: error: stage 's101' has more than 100 stages before it"));
}

TEST_F(PlanLimitsTest, LabelsAndTextOfTrialsHaveALimit) {
  std::string seeds = "0";
  for (int i = 1; i < 25'000; ++i) seeds += fmt::format(", {}", i);
  EXPECT_THAT(error("sweep: s\nseeds: [" + seeds + "]\nstages:\n  a: {job: pretrain, cases: {" +
                    keys(81, "{x: {}}") + "}}\n"),
              HasSubstr("the trials up to stage 'a' have 2025000 labels"));
  const std::string some =
      "    seeds: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]\n"
      "    grid: {batch: {from: 1, to: 100, step: 1}}\n    note: ";
  EXPECT_THAT(error(one_stage(some + std::string(200'000, 'x') + "\n")),
              HasSubstr("the trials of stage 'pretrain' hold more than 256 MiB of text"));
  EXPECT_EQ(error(one_stage(some + "short\n")), "");
}

TEST_F(PlanLimitsTest, KeysThatAreSetTogetherHaveALimit) {
  EXPECT_THAT(
      error(one_stage("    zip: {" + keys(10, "{from: 1, to: 50000, count: 50000}") + "}\n")),
      HasSubstr("50000 points of 10 keys each, expected at most 300000 values on one axis"));
  EXPECT_THAT(
      error(one_stage("    random: {count: 100000, " + keys(4, "{uniform: [0, 1]}") + "}\n")),
      HasSubstr("100000 points of 4 keys each, expected at most 300000 values on one axis"));
}

TEST_F(PlanLimitsTest, NamesHaveALimit) {
  const std::string name(201, 'x');
  EXPECT_THAT(
      error("sweep: " + name + "\nstages: {a: {job: pretrain}}\n"),
      HasSubstr("1:8: error: a sweep needs a name of letters, digits and _-/., at most 200"));
  EXPECT_THAT(error("sweep: s\nstages: {" + name + ": {job: pretrain}}\n"),
              HasSubstr("a name has letters, digits, _ and - only, at most 200"));
}

TEST_F(PlanLimitsTest, ASelectChoosesOnNotTooManyAxes) {
  std::string over;
  for (int i = 0; i <= 100; ++i) over += fmt::format("k{}, ", i);
  EXPECT_THAT(error(one_stage("    grid: {batch: [1, 2]}\n") +
                    "  best: {job: select, needs: {from: pretrain}, by: dev/score, over: [" + over +
                    "]}\n"),
              HasSubstr("'over' names 101 axes, expected at most 100"));
}

TEST_F(PlanLimitsTest, CandidatesOfSelectsHaveALimit) {
  // The sweep has a select of 10,000 candidates with two labels each, and one with as many at each of 66 points.
  const std::string pretrain = one_stage(
      "    grid: {batch: {from: 1, to: 100, step: 1}, steps: {from: 1, to: 100, step: 1}}\n");
  const std::string select =
      "{job: select, needs: {from: pretrain}, by: dev/score, over: [steps, batch]";
  std::string points;
  for (int i = 0; i < 66; ++i) points += fmt::format("x{}: {{}}, ", i);
  EXPECT_THAT(
      error(pretrain + "  a: " + select + "}\n  b: " + select + ", cases: {x: {" + points +
            "}}}\n"),
      HasSubstr("8:3: error: the selects up to stage 'b' choose among 2010000 trials and labels of "
                "'over' in all, expected at most 2000000; narrow what they need by 'where'"));
}

TEST_F(PlanLimitsTest, AProfileIsLookedAtByAFewOfAHundredThousandPoints) {
  // Each label appears once, even if another axis causes the mistake: the last value of each.
  std::string profiles = "profiles:\n";
  for (int i = 0; i < 20; ++i) profiles += fmt::format("  p{}: {{stages.pretrain.steps: 3}}\n", i);
  const std::string text = one_stage(
      "    cases: {arm: {a: {batch: 1}, b: {batch: 2}}}\n"
      "    grid: {model.layers: {from: 1, to: 200, step: 1}, optimizer.lr: {from: 1, to: 250, "
      "step: "
      "1}}\n");
  EXPECT_EQ(error(text + profiles), "");
  EXPECT_THAT(error(text + profiles + "  q: {stages.pretrain.optimizer.lr: [1, x]}\n"),
              HasSubstr("profile 'q': 'optimizer.lr': got 'x'"));
}

TEST_F(PlanLimitsTest, ASelectOfAProfilesSampleHasTheLabelsOfItsCandidates) {
  EXPECT_EQ(error(one_stage("    cases: {arm: {a: {batch: 1}, b: {batch: 2}}}\n"
                            "    grid: {steps: [1, 2]}\n") +
                  "  best: {job: select, needs: {from: pretrain}, by: dev/score, over: [steps]}\n"
                  "profiles: {p: {stages.pretrain.shuffle: false}}\n"),
            "");
}

}  // namespace
}  // namespace rethink
