// Stages that need others: joins, seeds, imported weights, stages of other files.
#include "core/files/hash.h"
#include "tests/unit/plan/plan_fixture.h"
#include "tests/unit/plan/sample_sweeps.h"

namespace rethink {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class PlanNeedsTest : public PlanFixture {};

TEST_F(PlanNeedsTest, ParentsThatShareAnAncestorAreJoinedOnIt) {
  const Plan made = plan(kJoined);
  EXPECT_EQ(made.of_stage("finetune").size(),
            3u * 2 * 2);  // 3 pretrained, 2 masks each, 2 seeds: never crossed
  std::map<std::string, const PlannedTrial*> by_id;
  for (const PlannedTrial& planned : made.trials) by_id[planned.trial.id] = &planned;
  for (const PlannedTrial* child : made.of_stage("finetune")) {
    const Trial& init = by_id.at(child->trial.needs.at("init")[0])->trial;
    const Trial& mask = by_id.at(child->trial.needs.at("mask")[0])->trial;
    EXPECT_EQ(mask.needs.at("init")[0], init.id);
    EXPECT_EQ(init.seed, child->trial.seed);
    EXPECT_EQ(mask.seed, child->trial.seed);
    EXPECT_EQ(child->labels.at("pretrain.batch"), std::to_string(init.config["batch"].get<int>()));
    EXPECT_EQ(child->labels.count("mask.steps"), 1u);
  }
}

/// An input may also be read by a plug-in other than an analysis or a job, whose weights are of a single kind.
TEST_F(PlanNeedsTest, AnAttentionMayReadAnInput) {
  const std::string given = "    model: {attention: {kind: given}}\n";
  EXPECT_EQ(plan(kJoined + given).of_stage("finetune").size(), 3u * 2 * 2);
}

TEST_F(PlanNeedsTest, RefusesAnEmptyNameOfAParent) {
  for (const char* nothing : {"''", "!!str"}) {
    EXPECT_THAT(error("sweep: s\nstages: {a: {job: finetune, needs: {init: " +
                      std::string(nothing) + "}}}\n"),
                HasSubstr("'init' needs the name of a stage, or {file: DIR} for imported weights"));
  }
}

TEST_F(PlanNeedsTest, WhereNarrowsAParent) {
  EXPECT_EQ(plan(std::string(kJoined) + "    where: {batch: 2, mask.steps: 20}\n")
                .of_stage("finetune")
                .size(),
            2u);
  EXPECT_EQ(plan(std::string(kJoined) + "    where: {pretrain.batch: [1, 2]}\n")
                .of_stage("finetune")
                .size(),
            8u);
  EXPECT_THAT(error(std::string(kJoined) + "    where: {bach: 2}\n"),
              HasSubstr("'where' names 'bach', which is not an axis or option here"));
  EXPECT_THAT(error(std::string(kJoined) + "    where: {batch: 9}\n"),
              HasSubstr("'where': no trial has batch = 9"));
}

TEST_F(PlanNeedsTest, ConditionsMayNameAxesAndOptionsOfNeededStages) {
  const std::string text = std::string(kJoined) + "    grid: {batch: [4, 5]}\n";
  EXPECT_EQ(plan(text + "    exclude: [{pretrain.batch: 1}]\n").of_stage("finetune").size(),
            2u * 2 * 2 * 2);
  EXPECT_EQ(
      plan(text + "    exclude: [{mask.model.layers: 2, batch: 4}]\n").of_stage("finetune").size(),
      3u * 2 * 2);
}

TEST_F(PlanNeedsTest, SaysWhatIsWrongWithNeeds) {
  const auto message = [&](const std::string& needs, const std::string& job = "finetune") {
    return error("sweep: s\nstages:\n  pretrain: {job: pretrain}\n  child: {job: " + job +
                 ", batch: 2, needs: " + needs + "}\n");
  };
  EXPECT_THAT(
      message("{init: pretran}"),
      HasSubstr("'init' needs stage 'pretran', which does not exist; did you mean 'pretrain'?"));
  EXPECT_THAT(
      message("{inti: pretrain}"),
      HasSubstr("job 'finetune' has no input 'inti'; did you mean 'init'?; inputs: init, mask"));
  const std::string both = message("{inti: pretrain, mask: c}");
  EXPECT_THAT(both, HasSubstr("has no input 'inti'"));
  EXPECT_THAT(both, HasSubstr("'mask' needs stage 'c', which does not exist"));
  EXPECT_THAT(message("{mask: pretrain}"),
              HasSubstr("'mask' takes mask, but stage 'pretrain' (job pretrain) writes weights"));
  EXPECT_THAT(message("pretrain"),
              HasSubstr("'needs' must say which input takes which stage: {init: pretrain}"));
  EXPECT_THAT(message("{init: [pretrain]}"),
              HasSubstr("'init' needs the name of a stage, or {file: DIR}"));
  EXPECT_THAT(message("{init: child}"),
              HasSubstr("stages need each other in a circle: child -> child"));
  EXPECT_THAT(error("sweep: s\nstages:\n  best: {job: select, by: dev/x}\n"),
              HasSubstr("stage 'best' needs trials: write needs: {from: STAGE}"));
  EXPECT_THAT(
      error("sweep: s\nstages:\n  m: {job: learn_mask}\n"),
      HasSubstr("stage 'm' needs weights: write needs: {init: STAGE}, or {init: {file: DIR}}"));
  EXPECT_THAT(
      error(
          "sweep: s\nstages:\n  a: {job: finetune, needs: {init: b}}\n  b: {job: finetune, needs: "
          "{init: a}}\n"),
      HasSubstr("circle: a -> b -> a"));
}

TEST_F(PlanNeedsTest, SeedsOfParentAndChildMustMeet) {
  const std::string text =
      "sweep: s\nseeds: [0, 1, 2]\nstages:\n  a: {job: pretrain, seeds: [0, 1]}\n  b: {job: "
      "finetune, needs: "
      "{init: a}}\n";
  EXPECT_THAT(error(text), HasSubstr("stage 'b' has seed 2, but stage 'a' has seeds 0, 1: give it "
                                     "the same seeds, or only one"));
  EXPECT_THAT(error("sweep: s\nseeds: [1, 1]\nstages: {a: {job: pretrain}}\n"),
              HasSubstr("seed 1 is given twice"));
  EXPECT_THAT(error("sweep: s\nseeds: [-1]\nstages: {a: {job: pretrain}}\n"),
              HasSubstr("'seeds[0]': got '-1', expected at least 0"));
  const std::string flawed =
      error("sweep: s\nseeds: [a, -1, 0, 1.5]\nstages: {a: {job: pretrain}}\n");
  EXPECT_THAT(flawed, HasSubstr("'seeds[0]': got 'a'"));
  EXPECT_THAT(flawed, HasSubstr("'seeds[3]': got '1.5'"));
  EXPECT_THAT(flawed, Not(HasSubstr("twice")));
  EXPECT_THAT(error("sweep: s\nseeds: []\nstages: {a: {job: pretrain}}\n"),
              HasSubstr("'seeds': got an empty list, expected at least one element"));
  EXPECT_THAT(
      error(
          "sweep: s\nstages:\n  a: {job: pretrain}\n  b: {job: select, by: d/x, seeds: [0], needs: "
          "{from: a}}\n"),
      HasSubstr("job 'select' has no seed of its own"));
}

TEST_F(PlanNeedsTest, AWinnerHasTheSeedsOfTheCandidates) {
  const auto message = [&](const std::string& seeds, const std::string& of_candidates) {
    return error("sweep: s\nstages:\n  a: {job: pretrain, seeds: " + of_candidates +
                 ", grid: {batch: [1, 2], steps: [1, 2]}}\n"
                 "  s: {job: select, needs: {from: a}, over: [batch], by: train/loss}\n"
                 "  again: {job: select, needs: {from: s}, over: [steps], by: train/loss}\n"
                 "  c: {job: finetune, needs: {init: again}, seeds: " +
                 seeds + "}\n");
  };
  EXPECT_THAT(message("[1, 5]", "[0, 1]"),
              HasSubstr("sweep.yaml:6:36: error: stage 'c' has seed 5, but stage 'a', among which "
                        "'again' chooses, has seeds 0, 1: give it the same seeds, or only one"));
  EXPECT_EQ(message("[1]", "[0, 1]"), "");
  EXPECT_EQ(message("[5]", "[0]"), "");
}

TEST_F(PlanNeedsTest, ASelectAmongWinnersHasTheSeedsOfThoseBehindThem) {
  const Plan made = plan(
      "sweep: s\nstages:\n  a: {job: pretrain, seeds: [3, 4], grid: {batch: [1, 2], steps: [1, "
      "2]}}\n"
      "  s: {job: select, needs: {from: a}, over: [batch], by: train/loss}\n"
      "  again: {job: select, needs: {from: s}, over: [steps], by: train/loss}\n");
  for (const PlannedTrial& planned : made.trials) {
    if (planned.stage == "a") {
      EXPECT_TRUE(planned.candidate_seeds.empty());
    } else {
      EXPECT_EQ(planned.candidate_seeds, (std::set<int64_t>{3, 4})) << planned.stage;
    }
  }
}

TEST_F(PlanNeedsTest, ASeedThatIsGivenTwiceIsOneMistake) {
  PlanChoices choices = choices_;
  choices.seeds = {{1, 1}};
  EXPECT_EQ(error("sweep: s\nstages: {a: {job: pretrain}}\n", choices),
            "--seeds: error: seed 1 is given twice");
}

TEST_F(PlanNeedsTest, WhatAChildOverridesMustBeLoadable) {
  const auto message = [&](const std::string& parent, const std::string& child) {
    return error("sweep: s\nstages:\n  a: {job: pretrain, model: {" + parent +
                 "}}\n  b: {job: finetune, needs: {init: a}, model: {" + child + "}}\n");
  };
  EXPECT_EQ(message("layers: 3", "layers: 3, dropout: 0.3"), "");
  EXPECT_THAT(message("layers: 3", "layers: 4"),
              HasSubstr("'model.layers' is 4 here, but the weights in 'init' were trained with 3"));
  EXPECT_EQ(message("layers: 3", "layers: 2"), "");  // the first two: the job's "loads_first"
  EXPECT_THAT(message("", "tied: true"),
              HasSubstr("sweep.yaml:4:54: error: 'model.tied' is true here, but the weights"));
  EXPECT_EQ(message("heads: 2", "heads: 4"), "");  // no weight depends on it
  EXPECT_THAT(message("", "attention: {kind: masked}"),
              HasSubstr("'model.attention.kind' is masked here, but the weights in 'init' were "
                        "trained with dense"));
  EXPECT_EQ(message("", "attention: {kind: local}"), "");  // dense has the same weights
  EXPECT_EQ(message("attention: {kind: masked}", "attention: {rate: 0.5}"), "");
}

TEST_F(PlanNeedsTest, AChildOfASelectGetsTheCandidatesModel) {
  const std::string text = R"(sweep: s
seeds: [0, 1]
stages:
  a: {job: pretrain, model.layers: 3, grid: {optimizer.lr: [1e-4, 1e-3], batch: [1, 2]}}
  best: {job: select, needs: {from: a}, over: [optimizer.lr], by: dev/score}
  b: {job: finetune, needs: {init: best}}
)";
  const Plan made = plan(text);
  EXPECT_EQ(made.of_stage("best").size(), 2u);
  ASSERT_EQ(made.of_stage("b").size(), 4u);
  EXPECT_EQ(made.of_stage("b")[0]->trial.config["model"]["layers"], 3);
  EXPECT_EQ(made.of_stage("b")[0]->trial.needs.at("init")[0], made.of_stage("best")[0]->trial.id);
  EXPECT_EQ(made.of_stage("b")[0]->labels.at("best.batch"), "1");
  EXPECT_TRUE(made.of_stage("a")[0]->resources->keep_weights);  // a stage begins with them
}

TEST_F(PlanNeedsTest, OverMustNameAxes) {
  EXPECT_THAT(
      error("sweep: s\nstages:\n  a: {job: pretrain, grid: {batch: [1, 2]}}\n  best: {job: select, "
            "needs: {from: a}, over: [bach], by: d/x}\n"),
      HasSubstr("'over' names 'bach', which is not an axis of stage 'a'; did you mean 'batch'?"));
}

TEST_F(PlanNeedsTest, OverNamesAllKeysOfAZipThatNeverDifferAlone) {
  const auto sweep = [](const std::string& axes, const std::string& over) {
    return "sweep: s\nstages:\n  a: {job: pretrain, " + axes +
           "}\n  best: {job: select, needs: {from: a}, by: dev/score,\n    over: [" + over + "]}\n";
  };
  const std::string zip = "grid: {optimizer.lr: [0.1, 0.2]}, zip: {batch: [1, 2], steps: [3, 4]}";
  EXPECT_THAT(error(sweep(zip, "optimizer.lr, batch")),
              HasSubstr("sweep.yaml:5:26: error: 'batch' is zipped with steps: name both "
                        "(over: [optimizer.lr, batch, steps])"));
  EXPECT_EQ(error(sweep(zip, "steps, batch")), "");
  EXPECT_EQ(error(sweep(zip, "optimizer.lr")), "");
  EXPECT_EQ(error(sweep("zip: {batch: [1, 2, 1, 2], steps: [3, 3, 4, 4]}", "batch")), "");
  EXPECT_THAT(error(sweep("random: {count: 3, batch: {integer: [1, 1000]}, optimizer.lr: {uniform: "
                          "[0.1, 0.2]}}",
                          "optimizer.lr")),
              HasSubstr("'optimizer.lr' is drawn together with batch: name both"));
}

TEST_F(PlanNeedsTest, OverNamesAllKeysOfAZipOfAnEarlierStage) {
  EXPECT_THAT(error("sweep: s\nstages:\n  a: {job: pretrain, zip: {batch: [1, 2], steps: [3, 4]}}\n"
                    "  b: {job: finetune, needs: {init: a}}\n"
                    "  best: {job: select, needs: {from: b}, by: dev/score, over: [a.batch]}\n"),
              HasSubstr("'a.batch' is zipped with a.steps: name both (over: [a.batch, a.steps])"));
}

const char* const kImporting = "sweep: s\nstages:\n  b: {job: finetune, init: {file: w}}\n";
const char* const kImportedConfig = R"({"rethink": {"model": {"layers": 5}}})";

TEST_F(PlanNeedsTest, ImportedWeightsCountByContent) {
  EXPECT_THAT(error(kImporting),
              HasSubstr("does not exist; expected a folder with .safetensors weights"));
  write_text(folder_ / "w/config.json", kImportedConfig);
  EXPECT_THAT(error(kImporting), HasSubstr("holds no weights"));
  write_text(folder_ / "w/model.safetensors", "abc");
  const std::string first = plan(kImporting).trials[0].trial.id;
  EXPECT_EQ(plan("sweep: s\nstages:\n  b: {job: finetune, needs: {init: {file: w}}}\n")
                .trials[0]
                .trial.id,
            first);
  std::filesystem::rename(folder_ / "w", folder_ / "v");
  const std::string elsewhere = "sweep: s\nstages:\n  b: {job: finetune, init: {file: v}}\n";
  const Trial moved = plan(elsewhere).trials[0].trial;
  EXPECT_EQ(moved.id, first);
  EXPECT_EQ(moved.imported_paths.at("init"), (folder_ / "v").string());
  std::set<std::string> ids = {first};
  for (const char* file : {"model.safetensors", "vocab.txt", "tokenizer_config.json"}) {
    write_text(folder_ / "v" / file, "abcd");
    EXPECT_TRUE(ids.insert(plan(elsewhere).trials[0].trial.id).second) << file;
  }
  write_text(folder_ / "v/README.md", "nothing that is read");
  EXPECT_FALSE(ids.insert(plan(elsewhere).trials[0].trial.id).second);
}

/// Like paths of data, these begin at the file that names them, then at the folder of data sets.
TEST_F(PlanNeedsTest, ImportedWeightsAreBesideWhatNamesThemOrAmongData) {
  choices_.data = folder_ / "data";
  const auto leave = [](const std::filesystem::path& folder) {
    write_text(folder / "config.json", kImportedConfig);
    write_text(folder / "model.safetensors", "abc");
  };
  leave(folder_ / "data/w");
  const Trial among_data = plan(kImporting).trials[0].trial;
  EXPECT_EQ(among_data.imported_paths.at("init"), (folder_ / "data/w").string());
  leave(folder_ / "w");
  const Plan both = plan(kImporting);
  EXPECT_EQ(both.trials[0].trial.id, among_data.id);
  EXPECT_EQ(both.trials[0].trial.imported_paths.at("init"), (folder_ / "w").string());
  ASSERT_THAT(placed_codes_of(both.notes), testing::ElementsAre("sweep.yaml:3:28 ambiguous-path"));
  EXPECT_THAT(both.notes.at(0).text, testing::StartsWith((folder_ / "w").string() + " is read"));
  EXPECT_THAT(both.notes.at(0).text, HasSubstr((folder_ / "data/w").string()));
}

/// As with the files of a data set, trials that were trained elsewhere can be shown without them.
TEST_F(PlanNeedsTest, PublishedWeightsThatAreMissingHaveTheirIdentityWhereNothingShallRun) {
  const std::string text = "sweep: s\nstages:\n  b: {job: finetune, init: {file: weights/w}}\n";
  write_text(folder_ / "weights/w/config.json", kImportedConfig);
  write_text(folder_ / "weights/w/model.safetensors", "abc");
  const Trial here = plan(text).trials[0].trial;
  std::filesystem::remove_all(folder_ / "weights");
  write_text(folder_ / "experiments/weights/w.json",
             R"({"sha256": ")" + here.imported.at("init") + R"(", "model": {"layers": 5}})");
  EXPECT_THAT(error(text), HasSubstr("weights/w does not exist"));
  choices_.may_lack_files = true;
  const PlannedTrial far = plan(text).trials[0];
  EXPECT_EQ(far.trial.id, here.id);
  EXPECT_THAT(far.lacks, testing::IsEmpty());
}

TEST_F(PlanNeedsTest, AStageThatWaitsForWhatItsSweepLacksIsRefused) {
  write_text(folder_ / "w/config.json", kImportedConfig);
  write_text(folder_ / "w/model.safetensors", "abc");
  const std::string waits =
      "sweep: s\nstages:\n  b: {job: finetune, needs: {init: {file: w, waits_for: a rate}}}\n";
  EXPECT_THAT(error(waits),
              HasSubstr("3:36: error: stage 'b' may not run yet: it waits for a rate; "
                        "when the sweep has it, remove `waits_for`"));
  PlanChoices looking = choices_;
  looking.may_lack_files = true;
  const PlannedTrial planned = plan(waits, looking).trials.at(0);
  EXPECT_THAT(planned.lacks, testing::ElementsAre("a rate"));
  EXPECT_EQ(planned.trial.id, "");
  EXPECT_THAT(
      error("sweep: s\nstages:\n  b: {job: finetune, needs: {init: {waits_for: a rate}}}\n"),
      HasSubstr("'init' needs the name of a stage, or {file: DIR}"));
}

TEST_F(PlanNeedsTest, ImportedWeightsThatAreGitLfsPointersAreNamed) {
  write_text(folder_ / "w/config.json", kImportedConfig);
  write_text(folder_ / "w/model.safetensors",
             "version https://git-lfs.github.com/spec/v1\noid sha256:a\nsize 9\n");
  EXPECT_THAT(error(kImporting), HasSubstr("w/model.safetensors: is a Git LFS pointer"));
}

TEST_F(PlanNeedsTest, ImportedWeightsOfAnotherTokenizerAreNamed) {
  write_text(folder_ / "w/config.json", kImportedConfig);
  write_text(folder_ / "w/model.safetensors", "abc");
  write_text(folder_ / "w/vocab.txt", "[PAD]\n");
  write_text(folder_ / "w/tokenizer_config.json", R"({"tokenizer_class": "KoBertTokenizer"})");
  EXPECT_THAT(error(kImporting),
              HasSubstr("w/tokenizer_config.json: its tokenizer is KoBertTokenizer"));
  EXPECT_THAT(error("sweep: s\nstages:\n  b: {job: finetune, init: {file: w/model.safetensors}}\n"),
              HasSubstr("w/tokenizer_config.json: its tokenizer is KoBertTokenizer"));
}

TEST_F(PlanNeedsTest, ImportedWeightsOfAnAdapterAreNamed) {
  write_text(folder_ / "w/adapter_config.json", "{}");
  write_text(folder_ / "w/adapter_model.safetensors", "abc");
  EXPECT_THAT(error(kImporting), HasSubstr("w/adapter_config.json: the weights are an adapter"));
}

TEST_F(PlanNeedsTest, ImportedWeightsBringTheirModel) {
  write_text(folder_ / "w/config.json", kImportedConfig);
  write_text(folder_ / "w/model.safetensors", "abc");
  EXPECT_EQ(plan(kImporting).trials[0].trial.config["model"]["layers"], 5);
  EXPECT_THAT(error("sweep: s\nstages:\n  b: {job: finetune, init: {file: w}, "
                    "model: {layers: 6}}\n"),
              HasSubstr("'model.layers' is 6 here, but the weights in 'init' were trained with 5"));
}

TEST_F(PlanNeedsTest, ImportedWeightsOfAnUnknownModelAreRefused) {
  write_text(folder_ / "w/model.safetensors", "abc");
  EXPECT_THAT(error(kImporting),
              HasSubstr("does not say which model its weights belong to; `rethink "
                        "import " +
                        (folder_ / "w").string() + " --out"));
  write_text(folder_ / "w/config.json", R"({"model_type": "bert"})");
  EXPECT_THAT(error(kImporting), HasSubstr("does not say which model its weights belong to"));
  write_text(folder_ / "w/config.json", "{");
  EXPECT_THAT(error(kImporting), HasSubstr("w/config.json"));
}

TEST_F(PlanNeedsTest, UsesAStageOfAnotherSweepWithWhatItNeeds) {
  write_text(
      folder_ / "other.yaml",
      "sweep: other\nseeds: [7]\nstages:\n  base: {job: pretrain, seeds: [0], batch: 3}\n  tuned: "
      "{job: finetune, needs: {init: base}, batch: 5}\n");
  const Plan made = plan(
      "sweep: s\nseeds: [0, 1]\nstages:\n  mine: {use: other.yaml#tuned}\n  more: {job: finetune, "
      "needs: "
      "{init: mine}}\n");
  EXPECT_EQ(made.of_stage("base").size(), 1u);
  EXPECT_EQ(made.of_stage("mine").size(), 2u);  // this sweep's seeds
  EXPECT_EQ(made.of_stage("more").size(), 2u);
  EXPECT_EQ(made.of_stage("mine")[0]->trial.config["batch"], 5);
  PlanChoices whole = choices_;
  const Plan other = make_plan(folder_ / "other.yaml", whole, sample::schema());
  EXPECT_EQ(other.of_stage("base")[0]->trial.id,
            made.of_stage("base")[0]->trial.id);  // shared in a store
}

TEST_F(PlanNeedsTest, UsesASweepByItsNameToo) {
  write_text(folder_ / "experiments/sweeps/bet/base.yml",
             "sweep: bet/base\nstages:\n  base: {job: pretrain, batch: 3}\n");
  for (const char* use :
       {"bet/base#base", "bet/base.yml#base", "experiments/sweeps/bet/base.yml#base"}) {
    const Plan made = plan(fmt::format("sweep: s\nstages:\n  mine: {{use: {}}}\n", use));
    EXPECT_EQ(made.of_stage("mine")[0]->trial.config["batch"], 3) << use;
  }
}

/// Fixture with a third sweep that two used sweeps use: one.yaml and two.yaml train from it.
class UsedTwiceTest : public PlanNeedsTest {
 protected:
  UsedTwiceTest() {
    write_text(folder_ / "base.yaml", "sweep: b\nstages: {base: {job: pretrain, batch: 3}}\n");
    write_user("one", "");
    write_user("two", "");
  }

  void write_user(const std::string& name, const std::string& profile) {
    write_text(folder_ / (name + ".yaml"),
               "sweep: " + name + "\nstages:\n  base: {use: base.yaml#base}\n  " + name +
                   ": {job: finetune, needs: {init: base}}\n" + profile);
  }

  const std::string both_ =
      "sweep: s\nstages:\n  one: {use: one.yaml#one}\n  two: {use: two.yaml#two}\n"
      "profiles: {small: {}}\n";
};

TEST_F(UsedTwiceTest, AStageThatTwoUsedSweepsUseIsThereOnce) {
  const Plan made = plan(both_);
  ASSERT_EQ(made.of_stage("base").size(), 1u);
  for (const char* stage : {"one", "two"}) {
    EXPECT_EQ(made.of_stage(stage)[0]->trial.needs.at("init")[0],
              made.of_stage("base")[0]->trial.id);
  }
}

TEST_F(UsedTwiceTest, AStageThatAProfileOfOneOfThemChangedIsAnother) {
  write_user("two", "profiles: {small: {stages.base: {batch: 4}}}\n");
  PlanChoices small = choices_;
  small.profile = "small";
  EXPECT_THAT(error(both_, small), HasSubstr("stage 'base' is there already"));
}

TEST_F(UsedTwiceTest, NeedsInACircleOfAUsedSweepAreReported) {
  write_text(folder_ / "one.yaml",
             "sweep: one\nstages:\n  base: {job: finetune, needs: {init: one}}\n"
             "  one: {job: finetune, needs: {init: base}}\n");
  EXPECT_THAT(error("sweep: s\nstages:\n  one: {use: one.yaml#one}\n  again: {use: "
                    "one.yaml#one}\n"),
              HasSubstr("circle"));
}

TEST_F(PlanNeedsTest, AProfileMayChangeWhatAStageNeeds) {
  const std::string text = R"(sweep: s
stages:
  base: {job: pretrain, batch: 3}
  other: {job: pretrain, batch: 4}
  arm: {job: finetune, needs: {init: base}}
profiles:
  anew: {stages.arm: {needs: {init: null}, model.layers: 5}}
  free: {stages.arm: {needs: null}}
  from: {stages.arm.needs.init: other}
  wrong: {stages.arm: {needs: other}}
)";
  const std::string usual = text.substr(0, text.find("  wrong:"));
  const auto needs = [&](const std::string& profile) {
    const Plan made = plan_profile(usual, profile);
    return made.of_stage("arm")[0]->trial.needs;
  };
  const Plan whole = plan(usual);
  EXPECT_EQ(needs("").at("init")[0], whole.of_stage("base")[0]->trial.id);
  EXPECT_EQ(needs("from").at("init")[0], whole.of_stage("other")[0]->trial.id);
  EXPECT_THAT(needs("anew"), IsEmpty());
  EXPECT_THAT(needs("free"), IsEmpty());
  EXPECT_EQ(plan_profile(usual, "anew").of_stage("arm")[0]->trial.config["model"]["layers"], 5);
  EXPECT_THAT(error(text), HasSubstr("'needs' must say which input takes which stage"));
}

TEST_F(PlanNeedsTest, AProfileMayLeaveAStageOut) {
  const std::string base = "sweep: b\nstages:\n  base: {job: pretrain}\n";
  const std::string profiles =
      "  arm: {job: finetune, needs: {init: base}}\n"
      "profiles:\n"
      "  alone: {stages.base: null, stages.arm.needs.init: null}\n"
      "  lost: {stages.base: null}\n";
  const auto message = [&](const std::string& text, const std::string& profile) {
    PlanChoices choices = choices_;
    choices.profile = profile;
    return error(text, choices);
  };
  const std::string usual = base + profiles.substr(0, profiles.find("  lost"));
  EXPECT_EQ(plan_profile(usual, "").trials.size(), 2u);
  EXPECT_EQ(plan_profile(usual, "alone").trials.size(), 1u);
  EXPECT_THAT(message(base + profiles, "lost"),
              HasSubstr("sweep.yaml:4:38: error: stage 'base' is needed here, but the profile or "
                        "--set leaves it out"));
  // The same holds if the stage comes from another sweep, whose profile leaves it out.
  write_text(folder_ / "base.yaml", base + "profiles: {alone: {stages.base: null}}\n");
  const std::string user = "sweep: u\nstages:\n  base: {use: base.yaml#base}\n" +
                           profiles.substr(0, profiles.find("  alone")) +
                           "  alone: {stages.arm.needs.init: null}\n";
  EXPECT_EQ(plan_profile(user, "").trials.size(), 2u);
  EXPECT_EQ(plan_profile(user, "alone").trials.size(), 1u);
}

TEST_F(PlanNeedsTest, SaysWhatIsWrongWithUse) {
  write_text(folder_ / "other.yaml", "sweep: other\nstages: {base: {job: pretrain}}\n");
  write_text(folder_ / "back.yaml", "sweep: back\nstages: {x: {use: sweep.yaml#a}}\n");
  const auto message = [&](const std::string& use) {
    return error("sweep: s\nstages:\n  a: {use: '" + use + "'}\n");
  };
  EXPECT_THAT(message("other.yaml"), HasSubstr("'use' needs FILE.yaml#stage"));
  EXPECT_THAT(message("non.yaml#a"), HasSubstr("'use': there is no file"));
  EXPECT_THAT(message("other.yaml#bas"), HasSubstr("has no stage 'bas'; did you mean 'base'?"));
  EXPECT_THAT(message("back.yaml#x"), HasSubstr("'use' goes in a circle"));
}

}  // namespace
}  // namespace rethink
