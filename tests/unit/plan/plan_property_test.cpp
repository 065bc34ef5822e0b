// Properties of every sweep: counts, identities, independence of order.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/plan/plan_fixture.h"

namespace rethink {
namespace {

struct PlanProperty : PlanFixture {
  void TestBody() override {}
  Plan made(const std::string& text) { return plan(text); }
  static std::vector<std::string> sorted_ids(const Plan& plan) { return ids(plan); }
};

std::string axis(const std::string& key, int first, int count) {
  std::string text = key + ": [";
  for (int i = 0; i < count; ++i) text += (i ? ", " : "") + std::to_string(first + i);
  return text + "]";
}

RC_GTEST_PROP(PlanProperty, HasAsManyTrialsAsTheProductOfItsAxesAndNoneTwice, ()) {
  const int a = *rc::gen::inRange(1, 6), b = *rc::gen::inRange(1, 6),
            seeds = *rc::gen::inRange(1, 4);
  PlanProperty world;
  const Plan plan =
      world.made("sweep: s\n" + axis("seeds", 0, seeds) + "\nstages: {a: {job: pretrain, grid: {" +
                 axis("batch", 1, a) + ", " + axis("steps", 5, b) + "}}}\n");
  RC_ASSERT(plan.trials.size() == static_cast<size_t>(a * b * seeds));
  RC_ASSERT(plan.distinct() == plan.trials.size());
}

RC_GTEST_PROP(PlanProperty, DoesNotDependOnTheOrderOfKeysAxesOrValues, ()) {
  const std::vector<std::string> keys = {"batch: 3", "model.layers: 4", "optimizer.lr: 0.01",
                                         "note: text", "shuffle: false"};
  const std::vector<std::string> axes = {"steps: [1, 2]", "model.dropout: [0.1, 0.2]",
                                         "model.heads: [1, 2, 4]"};
  const auto text = [](const std::vector<std::string>& fixed,
                       const std::vector<std::string>& grid) {
    return "sweep: s\nstages: {a: {job: pretrain, " + joined(fixed) + ", grid: {" + joined(grid) +
           "}}}\n";
  };
  const auto shuffled = [](std::vector<std::string> list) {
    for (size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[*rc::gen::inRange<size_t>(0, i)]);
    return list;
  };
  PlanProperty world;
  RC_ASSERT(PlanProperty::sorted_ids(world.made(text(keys, axes))) ==
            PlanProperty::sorted_ids(world.made(text(shuffled(keys), shuffled(axes)))));
}

RC_GTEST_PROP(PlanProperty, MoreRandomDrawsKeepTheEarlierOnes, ()) {
  const int few = *rc::gen::inRange(1, 10), more = *rc::gen::inRange(0, 10),
            seed = *rc::gen::inRange(0, 1000);
  const auto text = [&](int count) {
    return "sweep: s\nstages: {a: {job: pretrain, random: {count: " + std::to_string(count) +
           ", seed: " + std::to_string(seed) +
           ", optimizer.lr: {log: [1e-6, 1]}, batch: {integer: [1, 100000]}}}}\n";
  };
  PlanProperty world;
  const Plan first = world.made(text(few)), second = world.made(text(few + more));
  for (size_t i = 0; i < first.trials.size(); ++i)
    RC_ASSERT(first.trials[i].trial.id == second.trials[i].trial.id);
}

// A change of this text changes every trial's name, so it must be intended and be explained in the commit.
TEST(Identity, OfOneConfigurationIsPinned) {
  PlanProperty world;
  const Trial trial =
      world
          .made(one_stage("    model: {attention: {kind: masked, mask: {kind: star, width: "
                          "2}}}\n    optimizer.lr: 1e-5\n    note: not hashed\n"))
          .trials[0]
          .trial;
  EXPECT_EQ(
      identity_text(trial, sample::schema()),
      "h1\n{\"config\":{\"batch\":8,\"data\":{\"dataset\":\"toy\"},\"epochs\":null,\"model\":{"
      "\"attention\":{\"kind\":"
      "\"masked\",\"mask\":{\"diagonal\":true,\"kind\":\"star\",\"width\":2},\"rate\":1.0},\"d_"
      "model\":"
      "128,\"dropout\":0.1,"
      "\"heads\":2,\"layers\":2},\"optimizer\":{\"lr\":1e-05,\"name\":\"adam\"},\"shuffle\":true,"
      "\"sizes\":[],\"steps\":"
      "null},\"job\":\"pretrain\",\"revisions\":{\"attention/masked\":2},\"seed\":0}");
  EXPECT_EQ(trial.id, "bbc82585bffda6ced674");
}

TEST(Identity, DoesNotKnowNamesLabelsOrResources) {
  PlanProperty world;
  const auto id = [&](const std::string& text) { return world.made(text).trials.at(0).trial.id; };
  const std::string first = id("sweep: one\nstages: {a: {job: pretrain, batch: 2}}\n");
  EXPECT_EQ(
      id("sweep: two\nkeep: weights\nresources: {threads: 4}\nstages: {b: {job: pretrain, note: x, "
         "cases: {arm: {z: {batch: 2}}}}}\n"),
      first);
  EXPECT_NE(id("sweep: one\nseeds: [1]\nstages: {a: {job: pretrain, batch: 2}}\n"), first);
}

}  // namespace
}  // namespace rethink
