// Kills the real worker at every kill point of a checkpoint, at each of its first three hits, while it
// trains. The language model ends with the metric rows and the weights of an undisturbed one, bit for
// bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "core/store_files/event.h"
#include "experiments/attempt/trial_files.h"
#include "tests/crash/driver.h"
#include "tests/support/kill_point_names.h"

namespace rethink {
namespace {

/// Sweep whose checkpoints have every kind of state: dropout, AMSGrad, a schedule, sums of the loss over
/// steps, epochs, and a best evaluation that is not the last.
constexpr const char* kSweep = R"(sweep: lm
seeds: [0]
resources: {device: cpu, threads: 1}
keep: weights
stages:
  lm:
    job: lm
    data: {dataset: synthetic_language, sentences: 300, vocabulary: 60, length: 12}
    model: {preset: bet_lm, layers: 1, d_model: 16, heads: 2, ffn: 32, dropout: 0.1, attention: {kind: bird_eye}}
    optimizer: {name: adam, lr: 0.3, amsgrad: true}
    schedule: {name: linear, warmup: 2}
    batch: 64
    epochs: 2
    log_every: 2
    checkpoint_every: 0
    evaluate: {every: 2, splits: [dev], keep: best}
)";

class LmKillPoint : public DriverTest, public testing::WithParamInterface<std::string> {
 protected:
  LmKillPoint() {
    programs_ = kRethink.parent_path();
    write_text(folder_ / "lm.yaml", kSweep);
  }

  void run_lm(const std::string& store, const std::string& kill_at) const {
    const ProgramResult result = rethink({"run", "lm.yaml"}, store, kill_at);
    EXPECT_EQ(result.status, 0) << result.error;
  }

  /// Returns the worker's own description of the weights, which the index does not have.
  std::string weights_of(const std::string& store) const {
    return read_result(trials(store).at(0))->at("weights_sha256");
  }

  /// Returns the step at which an attempt began.
  int64_t resume_step(const std::string& store, int64_t attempt) const {
    int64_t step = -1;
    read_events(trials(store).at(0).events(attempt), 0, [&](const Json& event) {
      if (event.at("event") == "start") step = event.at("resume_step");
    });
    return step;
  }
};
// A build without LibTorch has no worker that trains.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(LmKillPoint);

TEST_P(LmKillPoint, EndsWithTheSameNumbersAndWeights) {
  run_lm("quiet", "");
  const std::vector<std::string> expected = dump_store(folder_ / "quiet");
  ASSERT_THAT(expected, testing::Contains(testing::HasSubstr("\"weights\"")));
  for (int hit = 1; hit <= 3; ++hit) {
    const std::string at = GetParam() + ":" + std::to_string(hit);
    SCOPED_TRACE(at);
    run_lm(at, at);
    ASSERT_EQ(trials(at).at(0).attempts(), (std::vector<int64_t>{1, 2}));
    EXPECT_GE(resume_step(at, 2), hit - 1);  // from a checkpoint, if there was one
    EXPECT_EQ(dump_store(folder_ / at), expected);
    EXPECT_EQ(weights_of(at), weights_of("quiet"));
  }
}

std::vector<std::string> checkpoint_kill_points() {
  std::vector<std::string> names;
  if (!std::filesystem::exists(kRethink.parent_path() / "rethink-worker")) return names;
  for (const auto& [name, file] :
       kill_point_names(std::filesystem::path(RETHINK_SOURCE_DIR) / "experiments/attempt")) {
    if (file == "checkpoint_folder.cpp") names.push_back(name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(, LmKillPoint, testing::ValuesIn(checkpoint_kill_points()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace rethink
