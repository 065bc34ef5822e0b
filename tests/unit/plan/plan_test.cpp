#include "experiments/plan/plan.h"

#include <fmt/format.h>

#include "core/json.h"
#include "tests/unit/plan/plan_fixture.h"
#include "tests/unit/plan/sample_sweeps.h"

namespace rethink {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

class PlanTest : public PlanFixture {};

class MasksTest : public PlanFixture {
 protected:
  MasksTest() {
    write_text(folder_ / "experiments/presets/model/bert_mini.yaml",
               "layers: 4\nattention: {dropout: 0.2}\n");
  }
};

TEST_F(MasksTest, ExpandsTheExampleOfTheManual) {
  const Plan made = plan(kMasks);
  EXPECT_EQ(made.sweep, "sparsebert/masks");
  EXPECT_EQ(made.of_stage("pretrain").size(), 5u);  // (3 x 2 - 1) x 1 seed
  EXPECT_EQ(made.of_stage("finetune").size(), 5u * 2 * 2 * 3);
  EXPECT_EQ(made.of_stage("best").size(), 5u * 2);
  EXPECT_EQ(made.distinct(), made.trials.size());
}

TEST_F(MasksTest, LabelsASelectWithItsParentsAxesAndTheirAncestors) {
  const Plan made = plan(kMasks);
  const PlannedTrial& best = *made.of_stage("best").front();
  EXPECT_THAT(best.labels,
              UnorderedElementsAre(Pair("task", "Toy"), Pair("pretrain.arm", "dense"),
                                   Pair("pretrain.model.attention.mask.diagonal", "true")));
  EXPECT_FALSE(best.trial.seed.has_value());
  EXPECT_THAT(best.candidate_seeds, ElementsAre(0, 1, 2));
  EXPECT_THAT(best.trial.may_diverge, ElementsAre("from"));
  EXPECT_THAT(made.of_stage("finetune").front()->trial.may_diverge, ElementsAre());
}

TEST_F(MasksTest, GivesASelectItsCandidatesGroupByGroup) {
  const Plan made = plan(kMasks);
  const Trial& best = made.of_stage("best").front()->trial;
  ASSERT_EQ(best.config["groups"].size(), 2u);
  EXPECT_EQ(best.config["groups"][0]["labels"],
            Json::parse(R"([{"axis": "optimizer.lr", "value": "2e-5"}])"));
  EXPECT_EQ(best.config["groups"][1]["trials"].size(), 3u);
  ASSERT_EQ(best.needs.at("from").size(), 6u);
  EXPECT_EQ(best.needs.at("from")[0], best.config["groups"][0]["trials"][0]);
  EXPECT_EQ(best.needs.at("from")[5], best.config["groups"][1]["trials"][2]);
}

TEST_F(MasksTest, AChildOfEverySeedUsesItsParentsOnlySeed) {
  const Plan made = plan(kMasks);
  std::set<std::string> parents;
  for (const PlannedTrial* planned : made.of_stage("finetune"))
    parents.insert(planned->trial.needs.at("init").at(0));
  EXPECT_EQ(parents.size(), 5u);
  EXPECT_EQ(made.of_stage("pretrain")[0]->trial.seed, 0);
}

TEST_F(MasksTest, AChildBeginsWithItsParentsModel) {
  const Plan made = plan(kMasks);
  for (const PlannedTrial* planned : made.of_stage("finetune")) {
    EXPECT_EQ(planned->trial.config["model"]["layers"], 4);
    EXPECT_EQ(planned->trial.config["model"]["attention"]["kind"], "masked");
  }
}

TEST_F(MasksTest, NamingAPluginDropsThePresetsOtherOptionsOfThatBlock) {
  const Json config = plan(kMasks).of_stage("pretrain").front()->trial.config;
  EXPECT_FALSE(config["model"]["attention"].contains("dropout"));
  EXPECT_EQ(config["model"]["layers"], 4);
}

TEST_F(MasksTest, AProfileOverridesAndNarrows) {
  const Plan made = plan_profile(kMasks, "smoke");
  EXPECT_EQ(made.of_stage("finetune").size(), 5u * 1 * 2 * 1);
  const Trial& finetune = made.of_stage("finetune")[0]->trial;
  EXPECT_EQ(finetune.config["epochs"], nullptr);
  EXPECT_EQ(finetune.config["steps"], 10);
  EXPECT_EQ(finetune.config["data"]["dataset"], "glue/rte");
  EXPECT_EQ(made.of_stage("pretrain")[0]->trial.config["model"]["layers"], 3);
  EXPECT_EQ(made.profile, "smoke");
}

TEST_F(MasksTest, WeightsThatALaterStageBeginsWithAreKept) {
  const Plan made = plan(kMasks);
  EXPECT_TRUE(made.of_stage("pretrain")[0]->resources->keep_weights);
  EXPECT_FALSE(made.of_stage("finetune")[0]->resources->keep_weights);
}

TEST_F(MasksTest, WeightsForAStageThatIsLeftOutAreKeptToo) {
  PlanChoices choices = choices_;
  choices.only_stage = "pretrain";
  const Plan made = plan(kMasks, choices);
  EXPECT_TRUE(made.of_stage("finetune").empty());
  EXPECT_TRUE(made.of_stage("pretrain")[0]->resources->keep_weights);
}

TEST_F(MasksTest, OnlyAStageComesWithWhatItNeeds) {
  PlanChoices choices = choices_;
  choices.only_stage = "finetune";
  const Plan made = plan(kMasks, choices);
  EXPECT_FALSE(made.of_stage("pretrain").empty());
  EXPECT_TRUE(made.of_stage("best").empty());
  choices.only_stage = "fintune";
  EXPECT_THAT(error(kMasks, choices),
              HasSubstr("--only: error: unknown stage 'fintune'; did you mean 'finetune'?"));
}

TEST_F(MasksTest, SeedsOfTheCommandLineReplaceTheFiles) {
  PlanChoices choices = choices_;
  choices.seeds = {{5, 6}};
  const Plan made = plan(kMasks, choices);
  EXPECT_EQ(made.of_stage("pretrain").size(), 5u);  // a stage's own seeds stay
  EXPECT_EQ(made.of_stage("finetune").size(), 5u * 2 * 2 * 2);
  EXPECT_EQ(made.of_stage("pretrain").front()->own_seeds, 1u);
  EXPECT_EQ(made.of_stage("finetune").front()->own_seeds, 3u);
  EXPECT_EQ(made.of_stage("best").front()->own_seeds, 3u) << "of its candidates";
  choices.settings = {"seeds=[1]"};
  EXPECT_THAT(error(kMasks, choices), HasSubstr("seeds are given twice"));
  choices.settings = {};
  choices.seeds = {{5, 5}};
  EXPECT_THAT(error(kMasks, choices), HasSubstr("seed 5 is given twice"));
}

TEST_F(PlanTest, TakesMissingOptionsFromTheDefaults) {
  const Json config = plan(one_stage("")).trials.at(0).trial.config;
  EXPECT_EQ(config["optimizer"]["lr"], 1e-4);
  EXPECT_EQ(config["model"]["attention"], Json::parse(R"({"kind": "dense", "dropout": 0.1})"));
  EXPECT_EQ(config["steps"], nullptr);
}

TEST_F(PlanTest, PrecedenceRisesFromPresetToSet) {
  write_text(folder_ / "presets/pretrain/base.yaml", "batch: 1\noptimizer.lr: 0.1\nsteps: 1\n");
  const std::string text = one_stage(R"(    preset: base
    optimizer.lr: 0.2
    cases: {arm: {a: {batch: 3}}}
    grid: {batch: [4, 5]}
profiles: {p: {stages.pretrain: {batch: 6}}}
)");
  const Plan grid = plan(text);
  ASSERT_EQ(grid.trials.size(), 2u);
  EXPECT_EQ(grid.trials[0].trial.config["batch"], 4);              // grid over cases
  EXPECT_EQ(grid.trials[0].trial.config["optimizer"]["lr"], 0.2);  // stage over preset
  EXPECT_EQ(grid.trials[0].trial.config["steps"], 1);              // preset over default
  const Plan profile = plan_profile(text, "p");
  ASSERT_EQ(profile.trials.size(), 1u);  // the axis is replaced
  EXPECT_EQ(profile.trials[0].trial.config["batch"], 6);
  EXPECT_THAT(profile.trials[0].labels, ElementsAre(Pair("arm", "a")));
  PlanChoices both = choices_;
  both.profile = "p";
  both.settings = {"batch=7"};
  EXPECT_EQ(plan(text, both).trials[0].trial.config["batch"], 7);
}

TEST_F(PlanTest, NullDeletesAKey) {
  write_text(folder_ / "presets/pretrain/base.yaml", "epochs: 3\nbatch: 2\n");
  const Json config =
      plan(one_stage("    preset: base\n    epochs: null\n    steps: 5\n    batch: ~\n"))
          .trials.at(0)
          .trial.config;
  EXPECT_EQ(config["epochs"], nullptr);
  EXPECT_EQ(config["steps"], 5);
  EXPECT_EQ(config["batch"], 8);
}

TEST_F(PlanTest, AKeyBothFixedAndOnAnAxisIsAnError) {
  EXPECT_THAT(
      error(one_stage("    batch: 3\n    grid: {batch: [1, 2]}\n")),
      HasSubstr("sweep.yaml:7:12: error: 'batch' is on this axis and is also fixed, in line 6: "
                "delete 'batch: 3' there to keep the axis, or the axis to keep the fixed "
                "value"));
  EXPECT_THAT(
      error(
          one_stage("    model: {attention: {kind: dense}}\n    cases: {arm: {a: {model.attention: "
                    "{kind: masked}}}}\n")),
      HasSubstr("'model.attention.kind' is on this axis and is also fixed, in line 6: delete "
                "'kind: dense' there"));
  EXPECT_THAT(error(one_stage("    grid: {batch: [1, 2]}\n    zip: {batch: [1, 2]}\n")),
              HasSubstr("'batch' is on two axes"));
  write_text(folder_ / "presets/pretrain/base.yaml", "batch: 3\n");
  EXPECT_EQ(error(one_stage("    preset: base\n    grid: {batch: [1, 2]}\n")),
            "");  // a preset's value is not fixed
}

TEST_F(PlanTest, FindsTwoPointsThatAreTheSameTrial) {
  EXPECT_THAT(
      error(one_stage("    grid: {note: [a, b]}\n")),
      HasSubstr("note = a and note = b are the same trial, so 'note' changes nothing there"));
  EXPECT_THAT(error(one_stage("    grid: {batch: [1, 1]}\n")),
              HasSubstr("axis 'batch' has the value 1 twice"));
  EXPECT_THAT(error(one_stage("    cases: {arm: {a: {batch: 8}, b: null}}\n")),
              HasSubstr("arm = a and arm = b are the same trial"));
  EXPECT_THAT(error(one_stage("    cases: {arm: {none: null, star: {batch: 8}}}\n"
                              "    grid: {note: [a]}\n    when: {note: [{arm: star}]}\n")),
              HasSubstr("arm = none, no note and arm = star, note = a are the same trial"));
}

TEST_F(PlanTest, ASetHasNoOrder) {
  const auto id = [&](const std::string& splits) {
    return plan(one_stage("    splits: " + splits + "\n")).trials[0].trial.id;
  };
  EXPECT_EQ(id("[test, dev]"), id("[dev, test]"));
  EXPECT_NE(id("[test]"), id("[dev, test]"));
  EXPECT_THAT(error(one_stage("    splits: [dev, test, dev]\n")),
              HasSubstr("expected each element once, but \"dev\" is given twice"));
}

TEST_F(PlanTest, SaysThatAChoiceIsMadeOnAnotherSplitThanDev) {
  const auto notes = [&](const std::string& by) {
    return notes_on(
        "sweep: s\nstages:\n  a: {job: pretrain, splits: [dev, test], grid: {batch: [1, "
        "2]}}\n"
        "  best: {job: select, needs: {from: a}, over: [batch], by: " +
        by + "}\n");
  };
  EXPECT_THAT(notes("dev/score"), testing::IsEmpty());
  EXPECT_THAT(notes("test/score"), testing::ElementsAre("sweep.yaml:4:60 chosen-on-test"));
  EXPECT_THAT(notes("train/loss"), testing::ElementsAre("sweep.yaml:4:60 chosen-on-test"));
}

TEST_F(PlanTest, SharesATrialBetweenStages) {
  const Plan made =
      plan("sweep: s\nstages:\n  a: {job: pretrain, batch: 2}\n  b: {job: pretrain, batch: 2}\n");
  EXPECT_EQ(made.trials.size(), 2u);
  EXPECT_EQ(made.distinct(), 1u);
}

TEST_F(PlanTest, SpreadsSettingsOverTheStages) {
  const Plan made = plan(R"(sweep: s
resources: {device: cpu, threads: 2, gpu_memory: 9GiB, max_per_gpu: 3, checkpoint_every: 30s}
limits: {time: 12h}
retry: {failed: 2}
keep: weights
stages:
  a: {job: pretrain}
  b: {job: pretrain, batch: 2, resources: {threads: 1, alone: true, checkpoint_every: null}, limits: {time: null, stall: 15min}, keep: metrics}
)");
  const StageResources &a = *made.trials[0].resources, &b = *made.trials[1].resources;
  EXPECT_EQ(a.threads, 2);
  EXPECT_EQ(a.device, "cpu");
  EXPECT_EQ(a.gpu_memory_bytes, 9ull << 30);
  EXPECT_EQ(a.most_per_gpu, 3);
  EXPECT_EQ(a.time_limit_s, 43200.0);
  EXPECT_EQ(a.retry.at(AttemptOutcome::failed), 2);
  EXPECT_EQ(a.retry.at(AttemptOutcome::killed), 10);
  EXPECT_EQ(a.checkpoint_every_s, 30);
  EXPECT_TRUE(a.keep_weights);
  EXPECT_FALSE(a.alone);
  EXPECT_EQ(b.threads, 1);
  EXPECT_TRUE(b.alone);
  EXPECT_EQ(b.checkpoint_every_s, std::nullopt);
  EXPECT_EQ(b.time_limit_s, std::nullopt);
  EXPECT_EQ(b.stall_limit_s, 900.0);
  EXPECT_FALSE(b.keep_weights);
}

TEST_F(PlanTest, SaysWhatIsWrongWithSettings) {
  const auto message = [&](const std::string& line) {
    return error("sweep: s\n" + line + "\nstages: {a: {job: pretrain}}\n");
  };
  EXPECT_THAT(message("limits: {time: 12}"),
              HasSubstr("expected a duration such as 30s, 15min, 12h or 2d"));
  EXPECT_THAT(message("limits: {time: [12h]}"),
              HasSubstr("2:16: error: 'limits.time': got a list, expected a duration such as 30s"));
  EXPECT_THAT(message("limits: 12h"), HasSubstr("2:9: error: 'limits': got '12h', expected a map"));
  EXPECT_THAT(message("limits: {tim: 12h}"),
              HasSubstr("unknown key 'limits.tim'; did you mean 'limits.time'?"));
  EXPECT_THAT(message("resources: {gpu_memory: 9GiG}"),
              HasSubstr("expected auto or a size such as 9GiB"));
  for (const char* size : {"99999999999999GB", "infGB", "nanGB"}) {
    EXPECT_THAT(message(fmt::format("resources: {{gpu_memory: {}}}", size)),
                HasSubstr("expected auto or a size such as 9GiB"));
  }
  EXPECT_THAT(message("resources: {max_per_gpu: 0}"),
              HasSubstr("'resources.max_per_gpu': got '0', expected at least 1"));
  EXPECT_THAT(message("resources: {checkpoint_every: 1e30d}"), HasSubstr("expected a duration"));
  EXPECT_THAT(message("limits: {time: infs}"), HasSubstr("expected a duration"));
  EXPECT_THAT(message("resources: {device: gpu}"), HasSubstr("expected one of auto, cpu, cuda"));
  EXPECT_THAT(message("resources: {threads: 0}"),
              HasSubstr("'resources.threads': got '0', expected at least 1"));
  EXPECT_THAT(message("retry: {oomm: 1}"),
              HasSubstr("unknown key 'retry.oomm'; did you mean 'retry.oom'?"));
  EXPECT_THAT(message("keep: wights"), HasSubstr("did you mean 'weights'?"));
}

}  // namespace
}  // namespace rethink
