// A sweep file with several mistakes gets each of them once, and none that only follows from
// another.
#include "tests/unit/plan/plan_fixture.h"

namespace rethink {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class PlanSeveralErrorsTest : public PlanFixture {};

TEST_F(PlanSeveralErrorsTest, FindsTheProblemsOfSeveralStagesAtOnce) {
  const std::string text = error(
      "sweep: s\nstages:\n  a: {job: pretrain, bach: 1}\n  b: {job: pretrain, steps: x}\n  c: "
      "{job: "
      "pretrian}\n");
  EXPECT_THAT(text, AllOf(HasSubstr("unknown key 'bach'"),
                          HasSubstr("'steps': got 'x', expected an integer"),
                          HasSubstr("unknown job 'pretrian'; did you mean 'pretrain'?")));
}

TEST_F(PlanSeveralErrorsTest, AFlawedAxisHidesNoOtherMistake) {
  const std::string text = error(
      "sweep: s\nresources: {threads: 0}\nretry: {boom: 1}\nlimits: {time: 12x}\nkeep: nothing\n"
      "stages:\n  a:\n    job: pretrain\n    zip: {batch: [1, 2], steps: [3]}\n"
      "    exclude: [{batsh: 1}]\n    when: {batch: [{stpes: 3}, {data.dataset: toy}]}\n"
      "  b: {job: finetune, needs: {init: a}, exclude: [{batch: 3}, {a.batch: 1}, {armm: x}]}\n");
  EXPECT_THAT(
      text, AllOf(HasSubstr("zip needs axes of equal length"),
                  HasSubstr("'resources.threads': got '0'"), HasSubstr("unknown key 'retry.boom'"),
                  HasSubstr("'limits.time': got '12x'"), HasSubstr("'keep': got 'nothing'"),
                  HasSubstr("'exclude' names 'batsh', which is not an axis or option here; did you "
                            "mean 'batch'?"),
                  HasSubstr("'when' names 'stpes'"), HasSubstr("'exclude' names 'armm'")));
  size_t count = 0;
  for (size_t at = text.find("error:"); at != std::string::npos; at = text.find("error:", at + 1))
    ++count;
  EXPECT_EQ(count, 8u) << text;
}

TEST_F(PlanSeveralErrorsTest, AMistakeInYamlHidesNoOther) {
  const std::string text =
      error(one_stage("    batch: 1\n    batch: 2\n    steps: 3\n    steps: 4\n    bach: 5\n"
                      "    <<: {note: x}\n"));
  EXPECT_THAT(text, AllOf(HasSubstr("7:5: error: key 'batch' is given twice"),
                          HasSubstr("9:5: error: key 'steps' is given twice"),
                          HasSubstr("merge keys"), HasSubstr("unknown key 'bach'")));
  write_text(folder_ / "experiments/presets/model/twice.yaml", "layers: 4\nlayers: 4\n");
  EXPECT_THAT(error(one_stage("    model: {preset: twice}\n    bach: 5\n")),
              AllOf(HasSubstr("twice.yaml:2:1: error: key 'layers' is given twice"),
                    HasSubstr("unknown key 'bach'")));
}

TEST_F(PlanSeveralErrorsTest, InvalidUtf8IsAMistakeLikeOthers) {
  EXPECT_THAT(error(one_stage("    note: \xff\n")),
              HasSubstr("sweep.yaml:6:11: error: not UTF-8 from here"));
  choices_.settings = {"note=\xff"};
  EXPECT_THAT(error(one_stage("")), HasSubstr("not UTF-8 from here"));
}

TEST_F(PlanSeveralErrorsTest, AMistakeInAProfileIsReportedOnceBesideOthers) {
  const std::string text = error(one_stage(
      "    bach: 5\nprofiles:\n  p: {stages.z: {}}\n  q: {stages.pretrain: {steps: 0}}\n"));
  EXPECT_THAT(text, AllOf(HasSubstr("6:5: error: unknown key 'bach'"),
                          HasSubstr("8:7: error: profile 'p': unknown stage 'z'"),
                          HasSubstr("error: profile 'q': 'steps': got '0'"),
                          Not(HasSubstr("profile 'q': unknown key 'bach'"))));
}

TEST_F(PlanSeveralErrorsTest, AFlawedParentHidesNoMistakeOfASelect) {
  const std::string sweep =
      "sweep: s\nstages:\n  a: {job: pretrain, bach: 1, grid: {optimizer.lr: [1, 2]}}\n  b: {job: "
      "select, needs: {from: a}, ";
  EXPECT_THAT(error(sweep + "over: [optimizer.lrr], bye: dev/score}\n"),
              AllOf(HasSubstr("unknown key 'bach'"),
                    HasSubstr("'over' names 'optimizer.lrr', which is not an axis; did you mean "
                              "'optimizer.lr'?"),
                    HasSubstr("unknown key 'bye'"), HasSubstr("'by' is missing")));
  EXPECT_THAT(
      error(sweep + "over: [optimizer.lr], by: dev/score}\n"),
      AllOf(HasSubstr("unknown key 'bach'"), Not(HasSubstr("'over'")), Not(HasSubstr("'by'"))));
}

TEST_F(PlanSeveralErrorsTest, AMistakeOfTwoStagesThroughAnAliasFlawsBoth) {
  const std::string text = error(R"(sweep: s
stages:
  a: {job: pretrain, cases: {task: &tasks {one: {data.dataset: tooy}}}}
  b: {job: pretrain, cases: {task: *tasks, arm: {x: {steps: 3}, y: {steps: 4}}}}
  best: {job: select, needs: {from: b}, over: [arm], by: dev/score}
)");
  EXPECT_THAT(text, HasSubstr("sweep.yaml:3:64: error: unknown dataset 'tooy'"));
  EXPECT_EQ(text.find("error: "), text.rfind("error: ")) << text;
}

TEST_F(PlanSeveralErrorsTest, AMistakeInSettingsHidesNoOther) {
  EXPECT_THAT(error(one_stage("    retry: {boom: 1}\n    grid: {batch: [1, 2]}\n"
                              "    exclude: [{batsh: 1}]\n    stesp: 3\n")),
              AllOf(HasSubstr("unknown key 'retry.boom'"), HasSubstr("'exclude' names 'batsh'"),
                    HasSubstr("unknown key 'stesp'")));
}

TEST_F(PlanSeveralErrorsTest, AnAxisThatCannotBeReadMakesNoNamesUnknown) {
  EXPECT_THAT(error(one_stage("    cases: [arm]\n    exclude: [{arm: a}]\n")),
              AllOf(HasSubstr("'cases' must be a map of axes"), Not(HasSubstr("'exclude'"))));
}

TEST_F(PlanSeveralErrorsTest, AListForOneValueIsPerhapsAnAxis) {
  EXPECT_THAT(error(one_stage("    batch: [1, 2]\n")),
              HasSubstr("'batch': got a list, expected an integer; only an axis takes a list of "
                        "values: write it below 'grid', or type --set "
                        "'stages.STAGE.grid.batch=[...]'"));
  EXPECT_THAT(error(one_stage("    resources: {threads: [1, 2]}\n")), Not(HasSubstr("'grid'")));
}

TEST_F(PlanSeveralErrorsTest, SaysWhereAMissingFileIsNamedAndNothingThatFollows) {
  choices_.data = folder_ / "data";
  const std::string text = error(
      "sweep: s\nstages:\n  a:\n    job: pretrain\n    data: {dataset: text}\n"
      "    cases: {arm: {x: {data.path: here.txt}, y: {data.path: gone.txt}}}\n"
      "  best: {job: select, needs: {from: a}, by: dev/score}\n"
      "  tune: {job: finetune, needs: {init: a}, stpes: 3}\n");
  EXPECT_THAT(text, AllOf(HasSubstr("sweep.yaml:6:34: error: data set 'text' needs"),
                          HasSubstr("sweep.yaml:6:60: error: data set 'text' needs"),
                          HasSubstr("unknown key 'stpes'"), Not(HasSubstr("same trial"))));
  const std::string named = error(one_stage("    batch: 3\n    data: {dataset: glue/cola}\n"));
  EXPECT_THAT(named, HasSubstr("sweep.yaml:7:21: error: data set 'glue/cola' needs"));
  const std::string on_axis = error(one_stage("    grid:\n      data.dataset: [toy, glue/cola]\n"));
  EXPECT_THAT(on_axis, HasSubstr("sweep.yaml:7:27: error: data set 'glue/cola' needs"));
}

TEST_F(PlanSeveralErrorsTest, AMistakeHidesNoMissingFileOfItsStage) {
  choices_.data = folder_ / "data";
  const std::string text = error(
      "sweep: s\nstages:\n  a:\n    job: pretrain\n    bach: 1\n"
      "    cases: {arm: {x: {data.dataset: glue/cola}, y: {data: {dataset: text, path: "
      "gone.txt}}}}\n"
      "  b: {job: pretrain, data: {dataset: tooy}, stpes: 1}\n");
  EXPECT_THAT(text,
              AllOf(HasSubstr("unknown key 'bach'"), HasSubstr("error: data set 'glue/cola' needs"),
                    HasSubstr("error: data set 'text' needs"), HasSubstr("unknown dataset 'tooy'"),
                    HasSubstr("unknown key 'stpes'")));
}

TEST_F(PlanSeveralErrorsTest, AMissingDataSetIsReportedOnce) {
  const std::string sweep =
      "sweep: s\nstages:\n  a: {job: pretrain, data: {dataset: glue/cola}, grid: {steps: [1, 2]}}\n"
      "  b: {job: pretrain, data: {dataset: glue/cola}}\n";
  const std::string what = ":3:38: error: data set 'glue/cola' needs dev.tsv, train.tsv in ";
  for (const std::filesystem::path& data : {std::filesystem::path(), folder_ / "data"}) {
    choices_.data = data;
    const std::string text = error(sweep);
    EXPECT_THAT(text, HasSubstr(what + (data / "cola").string() + ", "));
    EXPECT_EQ(text.find("error:"), text.rfind("error:")) << text;
  }
}

TEST_F(PlanSeveralErrorsTest, AStageThatCannotBeUsedIsNotMissingToo) {
  const std::string text =
      "sweep: s\nstages:\n  base: {use: 'nofile.yaml#train'}\n"
      "  tune: {job: finetune, needs: {init: base}}\n"
      "profiles: {smoke: {stages.base: {steps: 1}}}\n";
  PlanChoices smoke = choices_, only = choices_;
  smoke.profile = "smoke";
  only.only_stage = "base";
  for (const PlanChoices& choices : {smoke, only}) {
    EXPECT_THAT(error(text, choices),
                AllOf(HasSubstr("'use': there is no file"), Not(HasSubstr("does not exist")),
                      Not(HasSubstr("unknown stage"))));
  }
}

TEST_F(PlanSeveralErrorsTest, ShowsTwentyAtMost) {
  std::string lines;
  for (int i = 0; i < 30; ++i) lines += "    bad" + std::to_string(i) + ": 1\n";
  const std::string text = error(one_stage(lines));
  size_t count = 0;
  for (size_t at = text.find("unknown key"); at != std::string::npos;
       at = text.find("unknown key", at + 1))
    ++count;
  EXPECT_EQ(count, 20u);
  EXPECT_THAT(text, HasSubstr("... and 10 more"));
}

TEST_F(PlanSeveralErrorsTest, AStageWithTheMistakeOfAnotherThroughAnAliasIsNotExpanded) {
  const std::string text =
      error("sweep: s\nstages:\n  a: &a {job: pretrain, grid: {batch: []}}\n  b: *a\n");
  EXPECT_THAT(text, HasSubstr("axis 'batch' needs a list of values"));
  EXPECT_THAT(text, Not(HasSubstr("has no trials")));
}

}  // namespace
}  // namespace rethink
