#include "results/query/curves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "core/error.h"
#include "tests/support/throws_code.h"
#include "tests/unit/results/query_store.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

class CurvesTest : public UnfinishedTrial {};
class CurvesOfDoneTrials : public QueryTest {};

TEST_F(CurvesTest, HaveUnfinishedTrialsOnlyWhereNoTrialIsDone) {
  set_state(TrialState::running);
  Store store(folder.path(), Store::Access::read);
  const std::vector<Curve> found = curves(store, "dev/mcc", "", {"mask"});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[1].has_done);
  EXPECT_EQ(found[1].trials, 2);
  EXPECT_THAT(found[1].unfinished, ElementsAre(testing::Pair(TrialState::running, 1)));
  EXPECT_DOUBLE_EQ(found[1].points.at(0).value, 0.1);
  EXPECT_EQ(found[1].points.at(0).trials, 2);
  const Curve alone = curves(store, "dev/mcc", "trial=" + id_of("b1"), {}).at(0);
  EXPECT_FALSE(alone.has_done);
  EXPECT_EQ(alone.trials, 1);
  EXPECT_EQ(alone.points.at(0).value, 9.0);
}

TEST_F(CurvesOfDoneTrials, AreMeansOfGroups) {
  Store store(folder.path(), Store::Access::read);
  const std::vector<Curve> found = curves(store, "dev/mcc", "", {"mask"});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].label, "none");
  ASSERT_EQ(found[0].points.size(), 2u);
  EXPECT_EQ(found[0].points[1].step, 10);
  EXPECT_DOUBLE_EQ(found[0].points[1].value, 0.35);
  EXPECT_EQ(found[0].points[1].trials, 2);
  EXPECT_EQ(curves(store, "dev/mcc", "seed=0", {}).at(0).points.at(0).trials, 2);
  EXPECT_THAT(curves(store, "dev/mcc", "seed=9", {}), IsEmpty());
  EXPECT_THAT([&] { curves(store, "mcc", "", {}); }, ThrowsCode("invalid-metric-name"));
}

TEST_F(CurvesOfDoneTrials, CountTrialsAtAllStepsTogether) {
  for (const int64_t step : {10, 15}) {
    TrialMaker(folder.path(), fmt::format("b{}", step), {{"lr", 8}})
        .attempt(1, {start_event(1, 0), metric_event("f1", step, 0.5), end_event("done")})
        .result(1);
  }
  rebuild(folder.path());
  Store store(folder.path(), Store::Access::read);
  const std::vector<Curve> found = curves(store, "dev/f1", "", {"job"});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].trials, 2);
  EXPECT_EQ(found[0].points.at(0).trials, 1);
  EXPECT_EQ(curves(store, "dev/f1", "", {}).at(0).trials, 2);
}

TEST_F(CurvesOfDoneTrials, JoinTheStepsOfTrialsWithDifferentSteps) {
  const std::vector<std::map<int64_t, double>> values = {
      {{1, 1.0}, {4, 2.0}, {9, 3.0}}, {{2, 4.0}, {4, 5.0}}, {{1, 8.0}, {9, 4.0}, {10, 7.0}}};
  for (size_t i = 0; i < values.size(); ++i) {
    std::vector<Json> events = {start_event(1, 0)};
    for (const auto& [step, value] : values[i]) events.push_back(metric_event("f1", step, value));
    events.push_back(end_event("done"));
    TrialMaker(folder.path(), fmt::format("b{}", i), {{"lr", i}}).attempt(1, events).result(1);
  }
  rebuild(folder.path());
  Store store(folder.path(), Store::Access::read);
  const Curve curve = curves(store, "dev/f1", "", {}).at(0);
  std::vector<std::tuple<int64_t, double, int64_t>> points;
  for (const CurvePoint& point : curve.points)
    points.emplace_back(point.step, point.value, point.trials);
  EXPECT_THAT(points,
              ElementsAre(std::tuple(1, 4.5, 2), std::tuple(2, 4.0, 1), std::tuple(4, 3.5, 2),
                          std::tuple(9, 3.5, 2), std::tuple(10, 7.0, 1)));
}

TEST_F(CurvesOfDoneTrials, AreLabelledWithoutNeedlessDigits) {
  Store store(folder.path(), Store::Access::read);
  const std::vector<Curve> found = curves(store, "dev/mcc", "", {"decoder.lr", "optimizer.lr"});
  EXPECT_EQ(found.at(0).label, "7, 0.1");
}

TEST_F(CurvesOfDoneTrials, LeaveOutTrialsWithoutAnyOfTheKeys) {
  TrialMaker(folder.path(), "b1")
      .attempt(1, {start_event(1, 0), metric_event("mcc", 5, 9.0), end_event("done")})
      .result(1);
  rebuild(folder.path());
  Store store(folder.path(), Store::Access::read);
  std::vector<std::string> labels;
  for (const Curve& curve : curves(store, "dev/mcc", "", {"arm"})) labels.push_back(curve.label);
  EXPECT_THAT(labels, ElementsAre("Star", "again", "dense"));
}

TEST_F(CurvesOfDoneTrials, StaySeparateIfGroupsHaveEqualLabels) {
  SweepFile sweep{"paper/pairs", "", "", "", {}, {}};
  const std::vector<std::vector<std::string>> pairs = {{"x, y", "z"}, {"x", "y, z"}};
  for (size_t i = 0; i < pairs.size(); ++i) {
    TrialMaker trial(folder.path(), fmt::format("b{}", i + 1), {{"lr", i}});
    trial
        .attempt(1, {start_event(1, 0), metric_event("f1", 1, static_cast<double>(i)),
                     end_event("done")})
        .result(1);
    sweep.members.push_back(
        {trial.id(), "train", "", {{"left", pairs[i][0]}, {"right", pairs[i][1]}}});
  }
  write_sweep_file(folder.path(), sweep);
  rebuild(folder.path());
  Store store(folder.path(), Store::Access::read);
  const std::vector<Curve> found = curves(store, "dev/f1", "", {"left", "right"});
  ASSERT_EQ(found.size(), 2u);
  for (const Curve& curve : found) {
    EXPECT_EQ(curve.label, "x, y, z");
    EXPECT_EQ(curve.trials, 1);
    EXPECT_EQ(curve.points.size(), 1u);
  }
}

TEST_F(CurvesTest, CountTrialsWithoutAFiniteValueByState) {
  TrialMaker(folder.path(), "c1")
      .attempt(1, {start_event(1, 0), end_event("diverged")})
      .result(1, "diverged");
  TrialMaker(folder.path(), "c2").attempt(1, {start_event(1, 0)});
  rebuild(folder.path());
  Store store(folder.path(), Store::Access::read);
  EXPECT_THAT(trials_without_curve(store, "dev/loss", "", {}),
              ElementsAre(Pair(TrialState::ready, 2), Pair(TrialState::diverged, 1)));
  EXPECT_THAT(trials_without_curve(store, "dev/loss", "", {"mask"}),
              ElementsAre(Pair(TrialState::ready, 1)))
      << "the others are in no group";
  EXPECT_THAT(trials_without_curve(store, "dev/loss", "seed=1", {}), IsEmpty());
}

}  // namespace
}  // namespace rethink
