#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plots/table/notes.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kDraw = "pretrain.mask.seed";

constexpr const char* kDrawSpec = R"(table: draws
title: Draws
sweep: sweeps/example.yaml
stage: finetune
metric: dev/score
over: [pretrain.mask.seed]
rows: {axis: arm, labels: {star: Star}}
columns: [{axis: task}, {label: Avg., mean_of: task}]
direction: max
)";

/// The example's trials, with `draws` trials for each seed of the arm star.
struct DrawnExample {
  Plans plans;
  TrialRecords records;
};

DrawnExample drawn_example(int64_t seeds, int64_t draws) {
  DrawnExample example{example_plans(seeds), example_records(seeds)};
  Plan& plan = example.plans.at(kSweep);
  plan.draw_axes = {kDraw};
  std::vector<PlannedTrial> more;
  for (PlannedTrial& planned : plan.trials) {
    if (planned.labels.at("arm") != "star" || draws == 0) continue;
    planned.labels[kDraw] = "0";
    for (int64_t draw = 1; draw < draws; ++draw) {
      PlannedTrial other = planned;
      other.trial.id += fmt::format("-{}", draw);
      other.labels[kDraw] = std::to_string(draw);
      example.records[other.trial.id] = example.records.at(planned.trial.id);
      more.push_back(other);
    }
  }
  plan.trials.insert(plan.trials.end(), more.begin(), more.end());
  return example;
}

/// Adds a trial of the stage pretrain for each trial, of its own seed or of seed 0.
void add_pretraining(Plan& plan, bool own_seed) {
  std::vector<PlannedTrial> parents;
  for (PlannedTrial& planned : plan.trials) {
    PlannedTrial parent;
    parent.stage = "pretrain";
    parent.trial.seed = own_seed ? *planned.trial.seed : 0;
    parent.trial.id = fmt::format("pretrain-{}", *parent.trial.seed);
    planned.trial.needs = {{"init", {parent.trial.id}}};
    parents.push_back(parent);
  }
  plan.trials.insert(plan.trials.end(), parents.begin(), parents.end());
}

std::vector<std::string> notes_of_draws(const DrawnExample& example) {
  return table_of(kDrawSpec, example.plans, example.records).draw_notes;
}

TEST(DrawNotes, SayOverHowManyDrawsASeedsNumberIs) {
  const DrawnExample example = drawn_example(3, 2);
  EXPECT_THAT(notes_of_draws(example),
              ElementsAre("the number of each seed is the mean over 2 draws (pretrain.mask.seed): "
                          "Star"));
}

TEST(DrawNotes, PartDrawsFromOneSeed) {
  const DrawnExample example = drawn_example(1, 3);
  const Table table = table_of(kDrawSpec, example.plans, example.records);
  EXPECT_THAT(whole(table.notes), testing::Contains("no profile; one seed, so without a spread"));
  EXPECT_THAT(whole(table.notes),
              testing::Contains("the number of each seed is the mean over 3 draws "
                                "(pretrain.mask.seed): Star"));
}

TEST(DrawNotes, SayWhichStagesBehindHaveFewerSeeds) {
  DrawnExample example = drawn_example(3, 2);
  add_pretraining(example.plans.at(kSweep), /*own_seed=*/false);
  EXPECT_THAT(notes_of_draws(example),
              ElementsAre(testing::StartsWith("the number of each seed is the mean over 2 draws"),
                          "3 seeds of stage 'finetune' rest on 1 seed of stage 'pretrain'"));
  DrawnExample paired = drawn_example(3, 2);
  add_pretraining(paired.plans.at(kSweep), /*own_seed=*/true);
  EXPECT_EQ(notes_of_draws(paired).size(), 1u);
}

TEST(DrawNotes, SayWhichRowsAreDrawnForEachSeed) {
  DrawnExample example = drawn_example(3, 0);
  for (PlannedTrial& planned : example.plans.at(kSweep).trials) {
    if (planned.labels.at("arm") == "star") planned.own_draws = {"model.mask.seed"};
  }
  EXPECT_THAT(notes_of_draws(example),
              ElementsAre("each seed has a draw of its own (model.mask.seed): Star"));
}

TEST(DrawNotes, DoNotConcernOtherAxesOrDrawsWithoutANumber) {
  DrawnExample other = drawn_example(3, 2);
  other.plans.at(kSweep).draw_axes.clear();
  EXPECT_THAT(notes_of_draws(other), IsEmpty());
  DrawnExample missing = drawn_example(3, 2);
  missing.records.clear();
  EXPECT_THAT(notes_of_draws(missing), IsEmpty());
  DrawnExample none = drawn_example(3, 0);
  add_pretraining(none.plans.at(kSweep), /*own_seed=*/false);
  EXPECT_THAT(notes_of_draws(none), IsEmpty());
}

}  // namespace
}  // namespace rethink::test
