// What a broken sweep file gets: every problem, with its place.
#include "tests/unit/schedule/plan_fixture.h"

namespace rethink {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class PlanErrorsTest : public PlanFixture {};

TEST_F(PlanErrorsTest, ShowsTheLineAndACaret) {
  const std::string text = one_stage("    model: {layrs: 3}\n");
  const std::string file = (folder_ / "sweep.yaml").string();
  EXPECT_EQ(error(text).substr(0, error(text).find("; known")),
            file + ":6:13: error: unknown key 'model.layrs'; did you mean 'layers'?");
  EXPECT_THAT(error(text), HasSubstr("\n      model: {layrs: 3}\n              ^"));
}

TEST_F(PlanErrorsTest, FindsTheProblemsOfSeveralStagesAtOnce) {
  const std::string text = error(
      "sweep: s\nstages:\n  a: {job: pretrain, bach: 1}\n  b: {job: pretrain, steps: x}\n  c: {job: "
      "pretrian}\n");
  EXPECT_THAT(text, AllOf(HasSubstr("unknown key 'bach'"), HasSubstr("'steps': got 'x', expected an integer"),
                          HasSubstr("unknown job 'pretrian'; did you mean 'pretrain'?")));
}

TEST_F(PlanErrorsTest, ShowsTwentyAtMost) {
  std::string lines;
  for (int i = 0; i < 30; ++i) lines += "    bad" + std::to_string(i) + ": 1\n";
  const std::string text = error(one_stage(lines));
  size_t count = 0;
  for (size_t at = text.find("unknown key"); at != std::string::npos; at = text.find("unknown key", at + 1))
    ++count;
  EXPECT_EQ(count, 20u);
  EXPECT_THAT(text, HasSubstr("... and 10 more"));
}

TEST_F(PlanErrorsTest, ChecksTheTopOfTheFile) {
  EXPECT_THAT(
      error("swep: s\nstages: {a: {job: pretrain}}\n"),
      AllOf(HasSubstr("unknown key 'swep'; did you mean 'sweep'?"), HasSubstr("a sweep needs a name")));
  EXPECT_THAT(error("sweep: s\n"), HasSubstr("a sweep needs 'stages'"));
  EXPECT_THAT(error("sweep: s p\nstages: {a: {job: pretrain}}\n"),
              HasSubstr("a sweep needs a name of letters"));
  EXPECT_THAT(error("[1]\n"), HasSubstr("a sweep file is a map"));
  EXPECT_THAT(error("sweep: s\nstages: {a.b: {job: pretrain}}\n"),
              HasSubstr("stage 'a.b': a name has letters"));
  EXPECT_THAT(error("sweep: s\nstages: {a: 3}\n"), HasSubstr("stage 'a' must be a map with 'job: NAME'"));
  EXPECT_THAT(error("sweep: s\nstages: {a: {batch: 3}}\n"),
              HasSubstr("stage 'a' needs 'job: NAME'; known: finetune"));
  EXPECT_THROW(make_plan(folder_ / "none.yaml", choices_, sample::schema()), ConfigError);
}

TEST_F(PlanErrorsTest, ChecksAxes) {
  EXPECT_THAT(error(one_stage("    cases: {arm: {}}\n")),
              HasSubstr("axis 'arm' of cases needs named overlays"));
  EXPECT_THAT(error(one_stage("    cases: {arm: {a: 3}}\n")), HasSubstr("case 'a' must be a map of options"));
  EXPECT_THAT(error(one_stage("    grid: [1]\n")), HasSubstr("'grid' must be a map of axes"));
  EXPECT_THAT(error(one_stage("    grid: {bach: [1, 2]}\n")),
              HasSubstr("unknown key 'bach'; did you mean 'batch'?"));
  EXPECT_THAT(error(one_stage("    grid: {batch: [1, 010]}\n")),
              HasSubstr("a leading zero looks like octal"));
  EXPECT_THAT(error(one_stage("    when: 3\n")), HasSubstr("'when' must be a map"));
}

TEST_F(PlanErrorsTest, ChecksOptions) {
  EXPECT_THAT(error(one_stage("    steps: 3\n    epochs: 2\n")), HasSubstr("'steps' beside 'epochs'"));
  EXPECT_THAT(error(one_stage("    model: {heads: 3}\n")), HasSubstr("'heads' must divide 'd_model'"));
  EXPECT_THAT(error(one_stage("    model.layers: 3\n    model: {layers: 2}\n")), HasSubstr("is given twice"));
  EXPECT_THAT(error(one_stage("    lr: 3\n")), HasSubstr("unknown key 'lr'; did you mean 'optimizer.lr'?"));
  EXPECT_THAT(error(one_stage("    data: {dataset: tyo}\n")),
              HasSubstr("unknown dataset 'tyo'; did you mean 'toy'?"));
  EXPECT_THAT(error(one_stage("    batch: 1\n    batch: 2\n")), HasSubstr("key 'batch' stands twice"));
}

TEST_F(PlanErrorsTest, ChecksPresets) {
  write_text(folder_ / "presets/model/a.yaml", "preset: b\n");
  write_text(folder_ / "presets/model/b.yaml", "preset: a\n");
  write_text(folder_ / "presets/model/list.yaml", "[1]\n");
  write_text(folder_ / "presets/model/typo.yaml", "layrs: 1\n");
  const auto message = [&](const std::string& name) {
    return error(one_stage("    model: {preset: " + name + "}\n"));
  };
  EXPECT_THAT(message("lst"),
              HasSubstr("unknown preset 'lst' of 'model'; did you mean 'list'?; known: a, b, list, typo"));
  EXPECT_THAT(message("a"), HasSubstr("preset 'a' names itself in a circle: a -> b"));
  EXPECT_THAT(message("list"), HasSubstr("a preset is a map of options"));
  EXPECT_THAT(message("typo"), HasSubstr("typo.yaml:1:1: error: unknown key 'model.layrs'"));
  EXPECT_THAT(message("[a]"), HasSubstr("'preset': got a list or map, expected a name"));
  EXPECT_THAT(error(one_stage("    optimizer: {preset: x}\n")),
              HasSubstr("there is none: looked for experiments/presets/optimizer/"));
}

TEST_F(PlanErrorsTest, ChecksProfilesEvenTheOnesNotChosen) {
  const auto message = [&](const std::string& profile) {
    return error(one_stage("    grid: {batch: [1, 2]}\nprofiles:\n  p: " + profile + "\n"));
  };
  EXPECT_THAT(message("{steps: 3}"), HasSubstr("unknown key 'steps' in a profile"));
  EXPECT_THAT(message("{stages.pretran: {steps: 3}}"),
              HasSubstr("unknown stage 'pretran'; did you mean 'pretrain'?"));
  EXPECT_THAT(message("{stages.pretrain: {only: {bach: [1]}}}"),
              HasSubstr("stage 'pretrain' has no axis 'bach'; did you mean 'batch'?"));
  EXPECT_THAT(message("{stages.pretrain: {only: {batch: [3]}}}"), HasSubstr("axis 'batch' has no '3'"));
  EXPECT_THAT(message("{stages.pretrain: {job: finetune}}"),
              HasSubstr("'job' cannot be changed by a profile or --set"));
  EXPECT_THAT(message("3"), HasSubstr("profile 'p' must be a map"));
  PlanChoices choices = choices_;
  choices.profile = "smok";
  EXPECT_THAT(error(one_stage("profiles: {smoke: {}}\n"), choices),
              HasSubstr("no profile 'smok'; did you mean 'smoke'?"));
}

TEST_F(PlanErrorsTest, ChecksSettings) {
  const auto message = [&](const std::string& setting) {
    PlanChoices choices = choices_;
    choices.settings = {setting};
    return error(one_stage(""), choices);
  };
  EXPECT_THAT(message("bach=3"),
              HasSubstr("--set bach=3: error: no stage has an option or axis 'bach'; did you mean 'batch'?"));
  EXPECT_THAT(message("batch"), HasSubstr("expected --set KEY=VALUE"));
  EXPECT_THAT(message("batch=x"), HasSubstr("--set batch=x: error: 'batch': got 'x', expected an integer"));
  EXPECT_THAT(message("stages.x.batch=1"), HasSubstr("unknown stage 'x'"));
  EXPECT_THAT(message("batch=[1"), HasSubstr("is a bracket left open?"));
}

TEST_F(PlanErrorsTest, FindsASweepByNameOrSaysWhatThereIs) {
  write_text(folder_ / "experiments/sweeps/bet/diag.yaml", one_stage(""));
  EXPECT_EQ(find_sweep("bet/diag", choices_.paths), folder_ / "experiments/sweeps/bet/diag.yaml");
  try {
    find_sweep("bet/dig", choices_.paths);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("there is no sweep 'bet/dig'; did you mean 'bet/diag'?"));
  }
}

}  // namespace
}  // namespace rethink
