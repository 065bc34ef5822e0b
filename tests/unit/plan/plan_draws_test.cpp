// Options that follow the trial's seed: `model.attention.mask.seed: seed`.
#include "core/config/configuration.h"
#include "core/facts/job_facts.h"
#include "tests/unit/plan/plan_fixture.h"

namespace rethink {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class PlanDrawsTest : public PlanFixture {
 protected:
  static std::string masked(const std::string& seed) {
    return "    model: {attention: {kind: masked, mask: {kind: drawn, seed: " + seed + "}}}\n";
  }

  /// Returns arms and their fine-tuning, with these further lines of the pretraining.
  static std::string two_stages(const std::string& pretrain, const std::string& finetune = "") {
    return "sweep: s\nseeds: [0, 1, 2]\nstages:\n  pretrain:\n    job: pretrain\n" + pretrain +
           "  finetune:\n    job: finetune\n    needs: {init: pretrain}\n    batch: 2\n" + finetune;
  }

  static int64_t draw_of(const PlannedTrial& planned) {
    return planned.trial.config.at("model").at("attention").at("mask").at("seed").get<int64_t>();
  }
};

TEST_F(PlanDrawsTest, TheTrialOfSeedKIsTheOneThatTheNumberKMakes) {
  for (const int64_t seed : {0, 1, 7}) {
    PlanChoices choices = choices_;
    choices.seeds = {{seed}};
    const Plan drawn = plan(one_stage(masked("seed")), choices);
    ASSERT_EQ(drawn.trials.size(), 1u);
    EXPECT_EQ(draw_of(drawn.trials[0]), seed);
    EXPECT_THAT(drawn.trials[0].own_draws, ElementsAre("model.attention.mask.seed"));
    const Plan listed = plan(one_stage(masked(std::to_string(seed))), choices);
    EXPECT_EQ(ids(drawn), ids(listed));
    EXPECT_EQ(drawn.trials[0].trial.config, listed.trials[0].trial.config);
    EXPECT_THAT(listed.trials[0].own_draws, IsEmpty());
  }
}

TEST_F(PlanDrawsTest, TheFirstSeedIsTheTrialThatGivesNoDraw) {
  const std::string plain =
      one_stage("    model: {attention: {kind: masked, mask: {kind: drawn}}}\n");
  EXPECT_EQ(ids(plan(one_stage(masked("seed")))), ids(plan(plain)));
}

TEST_F(PlanDrawsTest, AFineTuningKeepsTheDrawOfItsWeights) {
  const Plan made = plan(two_stages(masked("seed")));
  ASSERT_EQ(made.trials.size(), 6u);
  for (const PlannedTrial& planned : made.trials) {
    EXPECT_EQ(draw_of(planned), planned.trial.seed) << planned.stage;
    EXPECT_THAT(planned.labels, IsEmpty());
  }
  EXPECT_THAT(made.notes, IsEmpty());
  for (const int64_t seed : {0, 1, 2}) {
    PlanChoices choices = choices_;
    choices.seeds = {{seed}};
    const Plan listed = plan(two_stages(masked(std::to_string(seed))), choices);
    for (size_t stage = 0; stage < 2; ++stage) {
      EXPECT_EQ(made.trials[3 * stage + static_cast<size_t>(seed)].trial.id,
                listed.trials[stage].trial.id);
    }
  }
}

TEST_F(PlanDrawsTest, AWinnerBringsTheDrawOfItsSeed) {
  const Plan made = plan(
      "sweep: s\nseeds: [3, 4]\nstages:\n  pretrain:\n    job: pretrain\n    grid: {batch: [1, "
      "2]}\n" +
      masked("seed") +
      "  best: {job: select, needs: {from: pretrain}, over: [batch], by: dev/accuracy}\n"
      "  finetune: {job: finetune, needs: {init: best}}\n");
  for (const PlannedTrial* planned : made.of_stage("finetune"))
    EXPECT_EQ(draw_of(*planned), planned->trial.seed);
  EXPECT_EQ(made.of_stage("finetune").size(), 2u);
}

TEST_F(PlanDrawsTest, AProfileASettingAPresetAndACaseCanSayIt) {
  const auto draws = [](const Plan& made) {
    std::vector<int64_t> all;
    for (const PlannedTrial& planned : made.trials) all.push_back(draw_of(planned));
    return all;
  };
  const std::string base = "sweep: s\nseeds: [0, 5]\nstages:\n  pretrain:\n    job: pretrain\n";
  const std::string listed =
      base + masked("9") + "profiles: {p: {stages.pretrain: {model.attention.mask.seed: seed}}}\n";
  EXPECT_THAT(draws(plan(listed)), ElementsAre(9, 9));
  EXPECT_THAT(draws(plan_profile(listed, "p")), ElementsAre(0, 5));
  EXPECT_THAT(draws(plan_set(listed, {"stages.pretrain.model.attention.mask.seed=seed"})),
              ElementsAre(0, 5));
  EXPECT_THAT(draws(plan_set(listed, {"model.attention.mask.seed=seed"})), ElementsAre(0, 5));
  write_text(folder_ / "experiments/presets/model/drawn.yaml",
             "attention: {kind: masked, mask: {kind: drawn, seed: seed}}\n");
  EXPECT_THAT(draws(plan(base + "    model: {preset: drawn}\n")), ElementsAre(0, 5));
  EXPECT_THAT(draws(plan(base + "    model: {attention: {kind: masked, mask: {kind: drawn}}}\n"
                                "    cases: {arm: {own: {model.attention.mask.seed: seed}, one: "
                                "{model.attention.mask.seed: 1}}}\n")),
              ElementsAre(0, 5, 1, 1));
}

TEST_F(PlanDrawsTest, AGridWinsOverACaseAsForOtherKeys) {
  const Plan made =
      plan(one_stage("    cases: {arm: {own: {model.attention: {kind: masked, mask: {kind: drawn, "
                     "seed: seed}}}}}\n"
                     "    grid: {model.attention.mask.seed: [2, 3]}\n"));
  ASSERT_EQ(made.trials.size(), 2u);
  EXPECT_EQ(draw_of(made.trials[0]), 2);
  EXPECT_THAT(made.trials[0].own_draws, IsEmpty());
  EXPECT_THAT(made.draw_axes,
              ElementsAre("model.attention.mask.seed", "pretrain.model.attention.mask.seed"));
}

TEST_F(PlanDrawsTest, OtherOptionsDoNotTakeTheWord) {
  EXPECT_THAT(error(one_stage("    batch: seed\n")),
              HasSubstr(":6:12: error: 'batch': got 'seed', expected an integer\n"));
  EXPECT_THAT(error(one_stage(
                  "    model: {attention: {kind: masked, mask: {kind: drawn, width: seed}}}\n")),
              HasSubstr("'model.attention.mask.width': got 'seed', expected an integer\n"));
}

TEST_F(PlanDrawsTest, TheTypeErrorOffersTheWordWhereItIsAllowed) {
  EXPECT_THAT(error(one_stage(masked("sed"))),
              HasSubstr("'model.attention.mask.seed': got 'sed', expected an integer, or seed: the "
                        "trial's own\n"));
  EXPECT_THAT(
      error(one_stage(masked("'seed'"))),
      HasSubstr("got the text 'seed', expected an integer, or seed: the trial's own; remove "
                "the quotes"));
}

TEST_F(PlanDrawsTest, OneSeedOfWeightsGivesSeveralFineTuningsNoDrawEach) {
  const std::string text = two_stages(masked("seed") + "    seeds: [0]\n");
  EXPECT_THAT(
      error(text),
      AllOf(HasSubstr("sweep.yaml:10:19: error: "),
            HasSubstr("'model.attention.mask.seed: seed' gives each seed a draw of its own, "
                      "but stage 'finetune' with seed 1 would start from weights of stage "
                      "'pretrain' with seed 0, trained on another draw: give both stages the "
                      "same seeds, or list the draws in 'pretrain' (grid: "
                      "{model.attention.mask.seed: [0, 1, 2]})")));
  PlanChoices one = choices_;
  one.seeds = {{0}};
  EXPECT_EQ(plan(text, one).trials.size(), 2u);
  // A stage that repeats the word would draw anew, too; a stage with its own mask has no draw.
  EXPECT_THAT(error(two_stages(masked("seed") + "    seeds: [0]\n", masked("seed"))),
              HasSubstr("gives each seed a draw of its own"));
  EXPECT_EQ(error(two_stages(masked("seed") + "    seeds: [0]\n",
                             "    model: {attention: {mask: {kind: star}}}\n")),
            "");
}

TEST_F(PlanDrawsTest, AnotherProfileIsCheckedToo) {
  EXPECT_THAT(
      error(two_stages(masked("seed")) + "profiles: {p: {stages.pretrain: {seeds: [1]}}}\n"),
      HasSubstr("profile 'p': 'model.attention.mask.seed: seed' gives each seed"));
}

TEST_F(PlanDrawsTest, WeightsOfADrawThatANumberGivesAreRefused) {
  EXPECT_THAT(
      error(two_stages(masked("0"), masked("seed"))),
      AllOf(HasSubstr("sweep.yaml:11:65: error: "),
            HasSubstr("'model.attention.mask.seed: seed' gives each seed a draw of its own, but "
                      "stage 'finetune' with seed 1 would start from weights of stage 'pretrain', "
                      "trained on draw 0: leave 'model.attention.mask.seed' out of 'finetune' to "
                      "keep their draw, or train the weights with 'model.attention.mask.seed: "
                      "seed'")));
  // Another mask has no draw in common with the weights.
  EXPECT_EQ(error(two_stages("    model: {attention: {kind: masked, mask: {kind: star}}}\n",
                             masked("seed"))),
            "");
}

TEST_F(PlanDrawsTest, ImportedWeightsHaveTheirDraw) {
  Json model = plan(one_stage(masked("3"))).trials[0].trial.config.at("model");
  write_text(folder_ / "weights/config.json", Json{{"rethink", {{"model", model}}}}.dump());
  write_text(folder_ / "weights/model.safetensors", "weights");
  const auto text = [&](const std::string& seeds, const std::string& lines) {
    return "sweep: s\nseeds: " + seeds +
           "\nstages:\n  f:\n    job: finetune\n    needs: {init: {file: " +
           (folder_ / "weights").string() + "}}\n" + lines;
  };
  EXPECT_THAT(error(text("[3, 4]", masked("seed"))),
              HasSubstr("weights, trained on draw 3: leave"));
  EXPECT_EQ(draw_of(plan(text("[3]", masked("seed"))).trials[0]), 3);
  EXPECT_EQ(draw_of(plan(text("[4]", "")).trials[0]), 3);
}

TEST_F(PlanDrawsTest, ADrawListedBesideTheWordIsTheSameTrial) {
  EXPECT_THAT(error("sweep: s\nseeds: [0, 1]\nstages:\n  pretrain:\n    job: pretrain\n"
                    "    model: {attention: {kind: masked, mask: {kind: drawn}}}\n"
                    "    cases: {arm: {own: {model.attention.mask.seed: seed}, one: "
                    "{model.attention.mask.seed: 1}}}\n"),
              HasSubstr("arm = own and arm = one are the same trial"));
}

TEST_F(PlanDrawsTest, AJobWithoutSeedsHasNoneToFollow) {
  const Schema with_seeds = sample::schema();
  Schema without = with_seeds;
  PluginSchema& pretrain = without.plugins["job"]["pretrain"];
  JobFacts facts = pretrain.facts.as<JobFacts>();
  facts.seeded = false;
  pretrain.facts = facts;
  write_text(folder_ / "sweep.yaml",
             "sweep: s\nstages:\n  a:\n    job: pretrain\n" + masked("seed"));
  try {
    make_plan(folder_ / "sweep.yaml", choices_, without);
    FAIL() << "no error";
  } catch (const ConfigError& problem) {
    EXPECT_THAT(problem.what(),
                AllOf(HasSubstr("sweep.yaml:5:65: error: "),
                      HasSubstr("'model.attention.mask.seed' is seed, but job 'pretrain' has no "
                                "seed of its own; write a number")));
  }
}

TEST_F(PlanDrawsTest, AnEmptyListOfSeedsIsTheOnlyMistake) {
  EXPECT_THAT(error("sweep: s\nseeds: []\nstages:\n  a:\n    job: pretrain\n" + masked("seed")),
              AllOf(HasSubstr("'seeds': got an empty list"), Not(HasSubstr("mask.seed"))));
}

TEST_F(PlanDrawsTest, TheWordIsNotAValueOfAnAxis) {
  for (const char* axis : {"grid: {model.attention.mask.seed: [seed, 1]}",
                           "zip: {model.attention.mask.seed: [seed, 1], batch: [1, 2]}",
                           "random: {count: 2, model.attention.mask.seed: {choice: [seed]}}"}) {
    EXPECT_THAT(
        error(one_stage("    model: {attention: {kind: masked, mask: {kind: drawn}}}\n    " +
                        std::string(axis) + "\n")),
        AllOf(HasSubstr("sweep.yaml:7:"),
              HasSubstr("'model.attention.mask.seed': seed cannot be a value of an axis; write "
                        "'model.attention.mask.seed: seed' in the stage or in a case, or list the "
                        "draws")))
        << axis;
  }
}

TEST_F(PlanDrawsTest, ConditionsSeeTheWordForTheyAreBeforeSeeds) {
  const std::string cases =
      "sweep: s\nseeds: [0, 1]\nstages:\n  pretrain:\n    job: pretrain\n"
      "    model: {attention: {kind: masked, mask: {kind: drawn}}}\n"
      "    cases: {arm: {own: {model.attention.mask.seed: seed}, one: "
      "{model.attention.mask.seed: 7}}}\n";
  const Plan rest = plan(cases + "    exclude: [{model.attention.mask.seed: seed}]\n");
  ASSERT_EQ(rest.trials.size(), 2u);
  EXPECT_EQ(rest.trials[0].labels.at("arm"), "one");
  const Plan when = plan(cases +
                         "    grid: {batch: [1, 2]}\n"
                         "    when: {batch: [{model.attention.mask.seed: seed}]}\n");
  EXPECT_EQ(when.trials.size(), 2u * 2 + 2);
  EXPECT_THAT(
      error(cases + "    exclude: [{model.attention.mask.seed: 0}]\n"),
      HasSubstr("'exclude': no trial has model.attention.mask.seed = 0; there is: seed, 7"));
  const std::string child =
      "  f: {job: finetune, needs: {init: pretrain}, where: {pretrain.model."
      "attention.mask.seed: seed}}\n";
  EXPECT_EQ(plan(cases + child).of_stage("f").size(), 2u);
}

TEST_F(PlanDrawsTest, EachOfAListOfPlacesFollowsTheSeed) {
  const Plan made = plan(
      "sweep: s\nseeds: [4]\nstages:\n  a:\n    job: translate\n    decoder: {attention: {at: "
      "[{kind: dense}, "
      "{kind: masked, mask: {kind: drawn, seed: seed}}]}}\n");
  ASSERT_EQ(made.trials.size(), 1u);
  const Json::json_pointer place("/decoder/attention/at/1/mask/seed");
  EXPECT_EQ(made.trials[0].trial.config.at(place), 4);
  EXPECT_THAT(made.trials[0].own_draws, ElementsAre("decoder.attention.at[1].mask.seed"));
}

}  // namespace
}  // namespace rethink
