// The training loop with a task that counts its passes: steps of several batches, and the attention path that an attempt records.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <iterator>

#include "core/json.h"
#include "core/store_files/event.h"
#include "experiments/attempt/checkpoint_folder.h"
#include "experiments/attempt/event_log.h"
#include "experiments/train/device/device.h"
#include "experiments/train/loop.h"
#include "kernels/attention/attention_path.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Pair;
using ::testing::SizeIs;

/// A task with one weight, which should become 1. An epoch has eight batches of one number each.
class OneWeight : public Task {
 public:
  explicit OneWeight(std::atomic<bool>& stop) : stop_(stop) {
    weight_ = model_.register_parameter("weight", at::full({1}, 0.3));
  }

  torch::nn::Module& model() override { return model_; }
  std::vector<std::vector<uint32_t>> epoch_batches(int64_t) const override {
    return {{1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}};
  }
  Batch batch(const std::vector<uint32_t>& indices) const override {
    return {.columns = {{"x", at::full({1}, 0.1 * indices[0])}}, .tokens = 1, .read = 1};
  }
  BatchLoss loss(const Batch& batch, PhiloxKey) override {
    if (++passes == stops_in_pass) stop_ = true;
    if (path) note_attention_path(*path);
    const at::Tensor error = batch.columns.at("x") * weight_ - 1.0;
    return {.sum = error.square().sum(), .flops = 1.0, .record = {}};
  }
  bool may_drop_batches() const override { return may_drop; }
  /// The loss on dev is smallest at a weight of 0.32, and larger by 1 if all examples are read. The loss on test is the weight itself.
  SplitResult evaluate(const std::string& split, const EvaluationPass& pass) override {
    evaluated.push_back(split);
    for (int batch = 0; batch < 3; ++batch) {
      if (++evaluated_batches == stops_in_evaluated_batch) stop_ = true;
      if (pass.alive) pass.alive();
    }
    const double of_dev = std::abs(weight() - 0.32) + (pass.most > 100 ? 1.0 : 0.0);
    const double value = split == "dev" ? of_dev : weight();
    return {.values = {{"loss", value}}, .predictions = {}};
  }
  std::string default_metric() const override { return "loss"; }
  double guessing_loss() const override { return guess; }

  double weight() const { return weight_.item<double>(); }

  double guess = 100.0;
  int passes = 0, stops_in_pass = 0;
  int evaluated_batches = 0, stops_in_evaluated_batch = 0;  // three batches of a split
  std::vector<std::string> evaluated;                       // splits
  bool may_drop = true;
  std::optional<PathReason> path;

 private:
  std::atomic<bool>& stop_;
  torch::nn::Module model_;
  at::Tensor weight_;
};

/// Runs attempts of one trial of four steps of four batches.
class Attempts {
 public:
  explicit Attempts(int64_t checkpoint_every = 0) {
    options_.steps = 4;
    options_.accumulate = 4;
    options_.log_every = 1;
    options_.checkpoint_every = checkpoint_every;
    options_.evaluate.splits = {};
    options_.evaluate.keep = "last";
    options_.optimizer.options = optimizers().completed("adam", {{"lr", 0.01}});
    options_.schedule.options = schedules().completed("constant", Json::object());
  }

  JobOutcome run(OneWeight& task) {
    forget_attention_paths();
    const std::filesystem::path file = folder_ / fmt::format("events-{}.jsonl", ++attempts_);
    EventLog events(file);
    CheckpointFolder checkpoints(folder_ / "checkpoints", events);
    JobContext context{.trial = trial_,
                       .runtime = runtime_,
                       .inputs = {},
                       .parents = {},
                       .events = events,
                       .checkpoints = checkpoints,
                       .artifacts = folder_ / "artifacts",
                       .stop = stop,
                       .published = {}};
    Trainer trainer(task, options_, at::kCPU, context);
    const JobOutcome outcome = trainer.run();
    forget_attention_paths();
    return outcome;
  }

  /// The events of the newest attempt.
  std::vector<Json> events(const std::string& kind) const {
    std::vector<Json> found;
    read_events(folder_ / fmt::format("events-{}.jsonl", attempts_), 0, [&](const Json& event) {
      if (event.at("event") == kind) found.push_back(event);
    });
    return found;
  }

  /// Values of a metric of `train` in the newest attempt, by step.
  std::map<int64_t, double> metric(const std::string& name) const {
    std::map<int64_t, double> values;
    for (const Json& event : events("metric")) {
      if (event.at("name") == name) values[event.at("step")] = event.at("value");
    }
    return values;
  }
  TrainOptions& options() { return options_; }

  std::atomic<bool> stop = false;

 private:
  const TempFolder folder_;
  Trial trial_;
  Runtime runtime_;
  TrainOptions options_;
  int attempts_ = 0;
};

/// Returns the final weight of a trial without interruptions.
double undisturbed() {
  Attempts quiet;
  OneWeight task(quiet.stop);
  EXPECT_EQ(quiet.run(task), JobOutcome::done);
  EXPECT_EQ(task.passes, 16);
  return task.weight();
}

TEST(Trainer, AbandonsALongStepAndLosesNothingElse) {
  Attempts attempts;
  OneWeight cut(attempts.stop);
  cut.stops_in_pass = 6;  // the second of the second step
  EXPECT_EQ(attempts.run(cut), JobOutcome::interrupted);
  EXPECT_EQ(cut.passes, 6);
  attempts.stop = false;
  OneWeight resumed(attempts.stop);
  EXPECT_EQ(attempts.run(resumed), JobOutcome::done);
  EXPECT_EQ(resumed.passes, 12);
  EXPECT_EQ(resumed.weight(), undisturbed());
}

TEST(Trainer, CheckpointsFinishedStepsWhenAStepIsAbandoned) {
  Attempts attempts(/*checkpoint_every=*/3600);
  OneWeight cut(attempts.stop);
  cut.stops_in_pass = 6;
  EXPECT_EQ(attempts.run(cut), JobOutcome::interrupted);
  EXPECT_EQ(cut.passes, 8) << "a step of less than five seconds is finished";
  ASSERT_EQ(attempts.events("checkpoint").size(), 1u);
  EXPECT_EQ(attempts.events("checkpoint")[0].at("step"), 2);
}

TEST(Trainer, FinishesAStepWhoseBatchesChangeState) {
  Attempts attempts;
  OneWeight cut(attempts.stop);
  cut.stops_in_pass = 6;
  cut.may_drop = false;
  EXPECT_EQ(attempts.run(cut), JobOutcome::interrupted);
  EXPECT_EQ(cut.passes, 8);
}

/// Returns the metrics, except times, that the store keeps of a trial that is stopped in batch `batch` of an evaluation; 0: not stopped.
std::map<std::string, double> metrics_of_stopped(int batch, const std::string& keep) {
  Attempts attempts;
  EvaluateOptions& evaluate = attempts.options().evaluate;
  evaluate.every = 2;
  evaluate.splits = {"dev", "test"};
  evaluate.keep = keep;
  evaluate.test = "end";
  std::map<std::string, double> metrics;
  const auto take = [&] {
    for (const Json& event : attempts.events("metric")) {
      metrics[fmt::format("{}/{} {}", event.at("split").get<std::string>(),
                          event.at("name").get<std::string>(), event.at("step").get<int64_t>())] =
          event.at("value");
    }
  };
  OneWeight task(attempts.stop);
  task.stops_in_evaluated_batch = batch;
  const JobOutcome outcome = attempts.run(task);
  take();
  if (batch > 0) {
    EXPECT_EQ(outcome, JobOutcome::interrupted) << batch;
    EXPECT_EQ(task.evaluated_batches, batch) << "the rest of the evaluation is left to a resume";
    attempts.stop = false;
    OneWeight resumed(attempts.stop);
    EXPECT_EQ(attempts.run(resumed), JobOutcome::done) << batch;
    EXPECT_EQ(task.passes + resumed.passes, 16) << "no step is repeated";
    take();
  }
  return metrics;
}

TEST(Trainer, EndsAnEvaluationAtAStopAndRepeatsItOnResume) {
  for (const std::string keep : {"last", "best"}) {
    const std::map<std::string, double> quiet = metrics_of_stopped(0, keep);
    EXPECT_TRUE(quiet.contains("dev/loss 2"));
    // Evaluations: dev at step 2, dev at step 4, then test with the last weights and, with `best`, with the best weights.
    for (int batch = 1; batch <= (keep == "best" ? 12 : 9); ++batch)
      EXPECT_EQ(metrics_of_stopped(batch, keep), quiet) << keep << " " << batch;
  }
}

TEST(Trainer, FinishesAnEvaluationOfLessThanFiveSeconds) {
  Attempts attempts(/*checkpoint_every=*/3600);
  attempts.options().evaluate.every = 2;
  attempts.options().evaluate.splits = {"dev"};
  OneWeight task(attempts.stop);
  task.stops_in_evaluated_batch = 1;
  EXPECT_EQ(attempts.run(task), JobOutcome::interrupted);
  EXPECT_EQ(task.evaluated_batches, 3);
}

TEST(Trainer, RecordsThePathOfAttentionAfterTheFirstStep) {
  Attempts attempts;
  OneWeight task(attempts.stop);
  task.path = PathReason::diagonal_rate;
  EXPECT_EQ(attempts.run(task), JobOutcome::done);
  ASSERT_EQ(attempts.events("environment").size(), 1u);
  EXPECT_EQ(attempts.events("environment")[0].at("attention"), "kernels: the diagonal has a rate");
  EXPECT_TRUE(attempts.events("inexact").empty());
}

TEST(Trainer, ResumesInexactlyOnAnotherPathOfAttention) {
  for (const PathReason then : {PathReason::fits, PathReason::asked_for}) {
    Attempts attempts;
    OneWeight cut(attempts.stop);
    cut.path = PathReason::fits;
    cut.stops_in_pass = 4;
    EXPECT_EQ(attempts.run(cut), JobOutcome::interrupted);
    attempts.stop = false;
    OneWeight resumed(attempts.stop);
    resumed.path = then;
    EXPECT_EQ(attempts.run(resumed), JobOutcome::done);
    const std::vector<Json> inexact = attempts.events("inexact");
    if (then == PathReason::fits) {
      EXPECT_TRUE(inexact.empty());
    } else {
      ASSERT_EQ(inexact.size(), 1u);
      EXPECT_EQ(inexact[0].at("differs"), Json({"path of attention"}));
    }
  }
}

TEST(Trainer, RecordsNormsAndRateAtEachPointOfTheCurve) {
  Attempts attempts;
  attempts.options().steps = 1;
  attempts.options().accumulate = 1;
  OneWeight task(attempts.stop);
  ASSERT_EQ(attempts.run(task), JobOutcome::done);
  EXPECT_THAT(attempts.metric("learning_rate"), ElementsAre(Pair(1, 0.01)));
  // The gradient norm of (x w - 1)^2 for one of the eight batches at x = 0.1 and w = 0.3: 2 x |x w - 1|.
  const double loss = attempts.metric("loss").at(1), x = (1.0 - std::sqrt(loss)) / 0.3;
  EXPECT_THAT(attempts.metric("gradient_norm"),
              ElementsAre(Pair(1, DoubleNear(2 * x * (1 - 0.3 * x), 1e-6))));
  EXPECT_THAT(
      attempts.metric("parameter_norm"),
      ElementsAre(Pair(0, DoubleNear(0.3, 1e-7)), Pair(1, DoubleNear(task.weight(), 1e-7))));
}

TEST(Trainer, RecordsNoCurveOfNormsOnRequest) {
  Attempts attempts;
  attempts.options().diagnose_every = 0;
  OneWeight task(attempts.stop);
  ASSERT_EQ(attempts.run(task), JobOutcome::done);
  EXPECT_THAT(attempts.metric("gradient_norm"), IsEmpty());
  EXPECT_THAT(attempts.metric("loss"), SizeIs(4));
}

TEST(Trainer, KeepsTheLastStepsOfATrialThatDiverges) {
  Attempts attempts;
  attempts.options().clip = 1.0;
  attempts.options().log_every = 3;
  attempts.options().divergence.steps = 3;
  OneWeight task(attempts.stop);
  task.guess = 1e-6;
  ASSERT_EQ(attempts.run(task), JobOutcome::diverged);
  EXPECT_THAT(attempts.metric("loss"), SizeIs(1));
  const std::map<int64_t, double> losses = attempts.metric("step_loss");
  EXPECT_THAT(losses, ElementsAre(Key(1), Key(2), Key(3)));
  EXPECT_NEAR((losses.at(1) + losses.at(2) + losses.at(3)) / 3, attempts.metric("loss").at(3),
              1e-6);
  EXPECT_THAT(attempts.metric("step_gradient_norm"), ElementsAre(Key(1), Key(2), Key(3)));
}

TEST(Trainer, KeepsTheLastStepsOverAnInterruption) {
  Attempts attempts;
  attempts.options().log_every = 3;
  attempts.options().divergence.steps = 3;
  OneWeight before(attempts.stop);
  before.guess = 1e-6;
  before.stops_in_pass = 8;  // the last of the second step
  ASSERT_EQ(attempts.run(before), JobOutcome::interrupted);
  attempts.stop = false;
  OneWeight after(attempts.stop);
  after.guess = 1e-6;
  ASSERT_EQ(attempts.run(after), JobOutcome::diverged);
  EXPECT_THAT(attempts.metric("step_loss"), ElementsAre(Key(1), Key(2), Key(3)));
}

TEST(Trainer, KeepsTheStepsBeforeTheLossWasTooHighOverAnInterruption) {
  Attempts attempts;
  attempts.options().steps = 100;
  attempts.options().log_every = 5;
  attempts.options().divergence.steps = 100;
  OneWeight before(attempts.stop);
  before.guess = 1e-6;
  before.stops_in_pass = 4 * 70;
  ASSERT_EQ(attempts.run(before), JobOutcome::interrupted);
  attempts.stop = false;
  OneWeight after(attempts.stop);
  after.guess = 1e-6;
  ASSERT_EQ(attempts.run(after), JobOutcome::diverged);
  const std::map<int64_t, double> losses = attempts.metric("step_loss");
  ASSERT_THAT(losses, SizeIs(55));
  EXPECT_EQ(std::next(losses.begin(), 4)->first, 5);
  EXPECT_EQ(std::next(losses.begin(), 5)->first, 51);
}

TEST(Trainer, DivergesIfTheReportedLossFarExceedsChance) {
  for (const char* keep : {"last", "best"}) {
    Attempts attempts;
    attempts.options().evaluate.splits = {"dev"};
    attempts.options().evaluate.keep = keep;
    OneWeight task(attempts.stop);
    task.guess = 1e-12;
    EXPECT_EQ(attempts.run(task), JobOutcome::diverged) << keep;
    ASSERT_THAT(attempts.events("message"), SizeIs(1));
    EXPECT_THAT(
        attempts.events("message")[0].at("text").get<std::string>(),
        testing::MatchesRegex("diverged: at the end dev/loss .* is a loss of .*, above 0.00"));
    EXPECT_THAT(attempts.metric("loss@last"), IsEmpty());
    EXPECT_THAT(attempts.metric("step_loss"), SizeIs(4));
  }
}

/// Returns the final test metrics of a trial of four steps that is evaluated after each step. `evaluated` gets the number of evaluations on test.
std::map<std::string, double> finals_of_test(std::optional<std::string> when, int64_t& evaluated) {
  Attempts attempts;
  EvaluateOptions& evaluate = attempts.options().evaluate;
  evaluate.every = 1;
  evaluate.splits = {"dev", "test"};
  evaluate.keep = "best";
  evaluate.test = std::move(when);
  OneWeight task(attempts.stop);
  EXPECT_EQ(attempts.run(task), JobOutcome::done);
  evaluated = std::ranges::count(task.evaluated, "test");
  std::map<std::string, double> finals;
  for (const Json& event : attempts.events("metric")) {
    const std::string name = event.at("name");
    if (event.at("split") == "test" && name.find('@') != std::string::npos)
      finals[name] = event.at("value");
  }
  return finals;
}

TEST(Trainer, TestsTheSameWeightsAtTheEndAsDuringTraining) {
  int64_t of_each = 0, of_end = 0;
  const std::map<std::string, double> each = finals_of_test("each", of_each);
  EXPECT_EQ(finals_of_test(std::nullopt, of_end), each);
  EXPECT_EQ(of_each, 4);
  EXPECT_EQ(of_end, 2);
  EXPECT_THAT(
      each, ElementsAre(Key("loss@best"), Key("loss@last"), Key("score@best"), Key("score@last")));
  EXPECT_LT(each.at("loss@best"), each.at("loss@last")) << "the best is an earlier step's";
}

TEST(Trainer, MeasuresPartOfDevDuringTrainingAndAllOfItAtTheEnd) {
  Attempts attempts;
  EvaluateOptions& evaluate = attempts.options().evaluate;
  evaluate.every = 1;
  evaluate.splits = {"dev"};
  evaluate.keep = "best";
  evaluate.dev_examples = 5;
  OneWeight task(attempts.stop);
  ASSERT_EQ(attempts.run(task), JobOutcome::done);
  std::map<std::string, double> finals;
  int points = 0;
  for (const Json& event : attempts.events("metric")) {
    if (event.at("split") != "dev") continue;
    const std::string name = event.at("name");
    if (name.find('@') != std::string::npos) {
      finals[name] = event.at("value");
    } else if (name == "loss") {
      ++points;
      EXPECT_LT(event.at("value"), 1.0) << "a part at each point";
    }
  }
  EXPECT_EQ(points, 4);
  EXPECT_GE(finals.at("loss@last"), 1.0);
  EXPECT_GE(finals.at("loss@best"), 1.0);
  EXPECT_LT(finals.at("score@best"), finals.at("score@last"));
}

}  // namespace
}  // namespace rethink
