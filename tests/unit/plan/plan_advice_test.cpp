// Each mistake in a sweep file gets one message, with its place and advice.
#include "tests/unit/plan/plan_fixture.h"

namespace rethink {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

class PlanAdviceTest : public PlanFixture {
 protected:
  /// Returns the only problem of `text`, as "LINE:COLUMN: error: ..."; all of them if there are more.
  std::string only_error(const std::string& text) {
    const std::string said = error(text), file = (folder_ / "sweep.yaml:").string();
    if (said.find("error: ") != said.rfind("error: ") || !said.starts_with(file)) return said;
    return said.substr(file.size(), said.find('\n') - file.size());
  }

  /// Returns a pretrain stage with an axis, and a second stage.
  static std::string two_stages(const std::string& second) {
    return "sweep: s\nstages:\n  a: {job: pretrain, grid: {batch: [1, 2]}}\n  b: " + second + "\n";
  }
};

TEST_F(PlanAdviceTest, AValueInPlaceOfAMapIsReported) {
  const std::string expected = "expected a map of options, such as {layers: 2} or {preset: NAME}";
  EXPECT_EQ(only_error(one_stage("    model: 5\n")), "6:12: error: 'model': got '5', " + expected);
  EXPECT_EQ(only_error(one_stage("    model: [1]\n")),
            "6:12: error: 'model': got a list, " + expected);
  // An axis or a needed stage would merge its own map into it.
  EXPECT_EQ(only_error(one_stage("    model: small\n    grid: {model.layers: [1, 2]}\n")),
            "6:12: error: 'model': got 'small', expected a map of options such as {preset: NAME}, "
            "in which an axis sets 'model.layers'");
  EXPECT_EQ(only_error(two_stages("{job: finetune, needs: {init: a}, model: 5}")),
            "4:47: error: 'model': got '5', " + expected);
  EXPECT_EQ(error(one_stage("    model: {}\n    grid: {model.layers: [1, 2]}\n")), "");
  EXPECT_EQ(only_error(one_stage("    data: tyo\n")),
            "6:11: error: 'data': got 'tyo', expected a map such as {dataset: toy}");
}

TEST_F(PlanAdviceTest, ARangeWithTooManyValuesSaysHowManyThereAre) {
  EXPECT_EQ(only_error(one_stage("    grid: {batch: {from: 0, to: 2000000, step: 1}}\n")),
            "6:48: error: 'step': 1 makes 2000001 values from 0 to 2000000, expected at most "
            "100000; take a greater step");
}

TEST_F(PlanAdviceTest, ARepeatedValueOfAnAxisIsReportedWithItsPosition) {
  EXPECT_EQ(only_error(one_stage("    grid: {batch: [1, 2, 1]}\n")),
            "6:26: error: axis 'batch' has the value 1 twice");
  EXPECT_EQ(only_error(one_stage("    zip: {batch: [1, 2, 1], steps: [1, 2, 1]}\n")),
            "6:25: error: axis 'batch' has the value 1 twice");
  EXPECT_EQ(only_error(one_stage("    seeds: [1, 2, 1]\n")), "6:19: error: seed 1 is given twice");
  EXPECT_THAT(only_error(one_stage("    grid: {optimizer.lr: [1e-3, 0.001]}\n")),
              AllOf(HasSubstr("6:33: error: "), HasSubstr("are the same trial")));
}

TEST_F(PlanAdviceTest, AMistakeInNeedsIsReportedOnceWithTheKnownInputs) {
  const auto message = [&](const std::string& needs) {
    return only_error(two_stages("{job: select, " + needs + "over: [batch], by: dev/score}"));
  };
  EXPECT_EQ(message("needs: {init: a}, "),
            "4:34: error: job 'select' has no input 'init'; inputs: from");
  EXPECT_EQ(message("needs: a, "),
            "4:27: error: 'needs' must say which input takes which stage: {from: a}");
  EXPECT_EQ(message("needs: [a], "),
            "4:27: error: 'needs' must say which input takes which stage: {from: STAGE}");
  EXPECT_EQ(message("needs: {from: }, "),
            "4:34: error: 'from' needs the name of a stage, or {file: DIR} for imported weights");
  EXPECT_EQ(message("needs: {from: {file: x}}, "),
            "4:34: error: 'from' takes trials, but {file: DIR} gives weights: name a stage");
  EXPECT_EQ(message("need: {from: a}, "), "4:20: error: unknown key 'need'; did you mean 'needs'?");
  EXPECT_EQ(message(""), "4:3: error: stage 'b' needs trials: write needs: {from: STAGE}");
}

TEST_F(PlanAdviceTest, AMisspeltAxisMakesNoNamesUnknown) {
  EXPECT_EQ(only_error(one_stage("    case: {arm: {x: {batch: 1}, y: {batch: 2}}}\n"
                                 "    exclude: [{arm: y}]\n")),
            "6:5: error: unknown key 'case'; did you mean 'cases'?");
}

TEST_F(PlanAdviceTest, AMisspeltKeyIsOneMistakeInHoweverManyTrials) {
  EXPECT_THAT(only_error(one_stage("    model: {head: 3, d_model: 99}\n"
                                   "    grid: {batch: [1, 2]}\n")),
              HasSubstr("6:13: error: unknown key 'model.head'; did you mean 'model.heads'?"));
}

TEST_F(PlanAdviceTest, AMisspeltAxisIsOneMistakeWhereASelectSpellsItRight) {
  const auto sweep = [](const std::string& axis, const std::string& over) {
    return "sweep: s\nstages:\n  a: {job: pretrain, splits: [dev, test], grid: {" + axis +
           ": [1, 2]}}\n  b: {job: select, needs: {from: a}, by: dev/score, over: [" + over +
           "]}\n";
  };
  EXPECT_THAT(only_error(sweep("optimzer.lr", "optimizer.lr")),
              HasSubstr("unknown key 'optimzer'; did you mean 'optimizer'?"));
  EXPECT_THAT(only_error(sweep("model.attention.kin", "model.attention.kind")),
              HasSubstr("unknown key 'model.attention.kin'"));
  EXPECT_THAT(error(sweep("optimzer.lr", "batch")),
              AllOf(HasSubstr("unknown key 'optimzer'"), HasSubstr("'over' names 'batch'")));
}

TEST_F(PlanAdviceTest, KeysOfAStageThatStandAmongTheStagesBelongToTheOneAbove) {
  EXPECT_EQ(only_error("sweep: s\nstages:\n  a:\n    job: pretrain\n  grid: {batch: [1, 2]}\n"
                       "  steps: 3\n  b: {job: finetune, needs: {init: a}}\n"),
            "5:3: error: got 'grid', 'steps', expected a stage or a key of the file; if stage 'a' "
            "is meant, indent them like its other keys");
  EXPECT_THAT(only_error("sweep: s\nstages:\n  a:\n  job: pretrain\n  steps: 3\n"),
              AllOf(HasSubstr("4:3: error: got 'job', 'steps', "), HasSubstr("if stage 'a' ")));
  EXPECT_THAT(only_error("sweep: s\nstages:\n  a: {job: pretrain}\nmodel.layers: 3\n"),
              AllOf(HasSubstr("4:1: error: got 'model.layers', "), EndsWith(" keys")));
  EXPECT_EQ(only_error("sweep: s\nstages:\n  job: pretrain\n"),
            "3:3: error: got 'job', expected the name of a stage: write stages: {NAME: {job: ...}} "
            "and indent it below the name");
  EXPECT_EQ(only_error("sweep: s\nstages:\njob: pretrain\nsteps: 2\n"),
            "3:1: error: got 'job', 'steps', expected the name of a stage: write stages: {NAME: "
            "{job: ...}} and indent them below the name");
  EXPECT_EQ(only_error("sweep: s\nstages:\na:\n  job: pretrain\n"),
            "3:1: error: got stage 'a' beside 'stages': indent it, to put it below");
  EXPECT_EQ(error("sweep: s\nstages:\n  grid: {job: pretrain}\nprofiles: {use: {}, job: {}}\n"),
            "");
}

TEST_F(PlanAdviceTest, WhatAKeyThatIsMovedSaysIsReadToo) {
  EXPECT_THAT(error("sweep: s\nstages:\n  a: {job: pretrain}\n  steps: x\n"),
              AllOf(HasSubstr("4:3: error: got 'steps', "), HasSubstr("4:10: error: 'steps': ")));
}

TEST_F(PlanAdviceTest, ASelectSaysAmongWhatItChooses) {
  const std::string said =
      "stage 'b' has nothing to choose among: write over: [AXIS, ...], the axes of stage 'a' to "
      "choose on; axes: batch";
  EXPECT_EQ(only_error(two_stages("{job: select, needs: {from: a}, by: dev/score}")),
            "4:3: error: " + said);
  EXPECT_EQ(only_error(two_stages("{job: select, needs: {from: a}, by: dev/score, over: []}")),
            "4:59: error: " + said);
  EXPECT_THAT(only_error(two_stages("{job: select, needs: {from: a}, by: dev/score, over: batch}")),
              HasSubstr("'over': got 'batch', expected a list"));
}

TEST_F(PlanAdviceTest, ThreadsThatNoMachineHasAreSaidOnce) {
  choices_.machine = Machine{.cores = 2, .device = "auto", .has_gpu = [] { return false; }};
  for (const char* threads : {"0", "-1", "5000", "x"}) {
    EXPECT_THAT(
        only_error(one_stage("    resources: {threads: " + std::string(threads) + "}\n")),
        AllOf(HasSubstr("6:26: error: 'resources.threads': got '"), Not(HasSubstr("machine"))));
  }
}

TEST_F(PlanAdviceTest, AFlagIsNamedAsItWasGiven) {
  choices_.settings = {"optimizer.lr=[1e-3"};
  EXPECT_EQ(error(one_stage("")), "--set optimizer.lr=[1e-3: error: this '[' is not closed");
}

}  // namespace
}  // namespace rethink
