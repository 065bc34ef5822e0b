// Tests of the job `bench`: its records, and its end at a limit. No test checks a duration.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "experiments/train/jobs/bench_measures.h"
#include "tests/unit/train/attempt_fixture.h"

namespace rethink {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;

using Measurements = std::map<std::string, double>;

Json tiny_bench(const Json& changes) {
  Json options = {{"d_model", 24}, {"heads", 4},  {"ffn", 48},
                  {"tokens", 16},  {"warmup", 1}, {"repeats", 2}};
  options.merge_patch(changes);
  return options;
}

Measurements measured_by(AttemptFixture& attempt) {
  EXPECT_EQ(attempt.run(), JobOutcome::done);
  Measurements all;
  for (const Json& event : attempt.events("measurement"))
    all[event.at("name")] = event.at("value").get<double>();
  return all;
}

Measurements measured_with(const Json& changes) {
  AttemptFixture attempt(tiny_bench(changes), 0, "bench");
  return measured_by(attempt);
}

TEST(BenchJob, RecordsMediansAndQuartilesOfBothPassesAndMemory) {
  for (const char* part : {"layer", "attention"}) {
    const Measurements found = measured_with({{"part", part}});
    for (const std::string pass : {"forward", "backward", "both"}) {
      EXPECT_GT(found.at(pass + "_low_ms"), 0);
      EXPECT_LE(found.at(pass + "_low_ms"), found.at(pass + "_ms"));
      EXPECT_LE(found.at(pass + "_ms"), found.at(pass + "_high_ms"));
    }
    EXPECT_GT(found.at("peak_tensors_mib"), 0);
    EXPECT_THAT(found, Not(testing::Contains(Key("limit"))));
    EXPECT_THAT(found, Not(testing::Contains(Key("times_dense"))));
  }
}

TEST(BenchJob, AlternatesWithDenseAttention) {
  const Json turns = {{"attention", {{"kind", "triplet"}, {"triplet_heads", 2}}},
                      {"beside_dense", true}};
  const Measurements found = measured_with(turns);
  EXPECT_GT(found.at("times_dense"), 0);
  EXPECT_LE(found.at("times_dense_low"), found.at("times_dense"));
  EXPECT_LE(found.at("times_dense"), found.at("times_dense_high"));
  Json once = turns;
  once["repeats"] = 1;
  const Measurements one = measured_with(once);
  EXPECT_GT(one.at("dense_both_ms"), 0);
  EXPECT_DOUBLE_EQ(one.at("times_dense"), one.at("both_ms") / one.at("dense_both_ms"));
}

TEST(BenchJob, MeasuresVariantsWhoseLayersShareState) {
  const Measurements found = measured_with({{"attention", {{"kind", "dam"}, {"length", 16}}}});
  EXPECT_GT(found.at("both_ms"), 0);
}

TEST(BenchJob, AllocatesTriplesForSumsButNotWhenCollapsed) {
  const auto peak = [](const char* reduce) {
    const Json kind = {{"kind", "triplet_cubic"}, {"reduce", reduce}, {"triplet_heads", 4}};
    return measured_with({{"attention", kind}, {"tokens", 32}, {"part", "attention"}})
        .at("peak_tensors_mib");
  };
  constexpr double kTriples = 8 * 32 * 32 * 32 * 4 / 1048576.0;  // heads of three, float32 [MiB]
  EXPECT_GT(peak("sum"), kTriples);
  EXPECT_LT(peak("collapsed"), kTriples / 2);
}

TEST(BenchJob, IsDoneWithoutTimesAtTheMemoryLimit) {
  const Json cubic = {{"kind", "triplet_cubic"}, {"triplet_heads", 4}};
  AttemptFixture attempt(
      tiny_bench({{"attention", cubic}, {"tokens", 64}, {"memory_limit", 0.005}}), 0, "bench");
  EXPECT_THAT(measured_by(attempt), ElementsAre(Pair("limit", 1)));
  EXPECT_THAT(attempt.messages(), HasSubstr("ends at the memory limit: "));
}

TEST(BenchJob, IsDoneWithoutTimesAtTheTimeLimit) {
  AttemptFixture attempt(tiny_bench({{"time_limit", 1e-9}}), 0, "bench");
  EXPECT_THAT(measured_by(attempt), ElementsAre(Pair("limit", 2)));
  EXPECT_THAT(attempt.messages(), HasSubstr("ends at the time limit: a pass took "));
}

TEST(BenchJob, StopsBetweenPasses) {
  AttemptFixture attempt(tiny_bench({}), 0, "bench");
  attempt.stop = true;
  EXPECT_EQ(attempt.run(), JobOutcome::interrupted);
  EXPECT_TRUE(attempt.events("measurement").empty());
}

TEST(CountedMemory, CountsThePeak) {
  const at::Tensor before = at::ones({1 << 18});
  const CountedMemory memory(1 << 24);
  EXPECT_EQ(memory.peak_bytes(), 0u);
  { const at::Tensor first = at::ones({1 << 18}), second = at::ones({1 << 18}); }
  const at::Tensor third = at::ones({1 << 18});
  constexpr uint64_t kTwo = 2 << 20, kRounding = 1 << 14;  // malloc gives a block whole pages
  EXPECT_GE(memory.peak_bytes(), kTwo);
  EXPECT_LE(memory.peak_bytes(), kTwo + kRounding);
}

TEST(CountedMemory, RefusesATensorBeyondItsLimitAndThenRecovers) {
  at::Tensor kept;
  {
    const CountedMemory memory(1 << 20);
    kept = at::ones({1 << 17});
    EXPECT_THROW(at::ones({1 << 18}), MemoryLimitError);
    EXPECT_NO_THROW(at::ones({1 << 16}));
  }
  EXPECT_NO_THROW(at::ones({1 << 20}));
  EXPECT_EQ(kept.sum().item<double>(), 1 << 17);
  const CountedMemory next(1 << 20);
  kept = at::Tensor();
  EXPECT_NO_THROW(at::ones({1 << 17}));
}

TEST(Quartiles, InterpolateLinearly) {
  const auto of = [](std::vector<double> values) {
    const Quartiles found = quartiles_of(std::move(values));
    return std::vector{found.low, found.median, found.high};
  };
  EXPECT_THAT(of({7}), ElementsAre(7, 7, 7));
  EXPECT_THAT(of({5, 1, 3, 2, 4}), ElementsAre(2, 3, 4));
  EXPECT_THAT(of({4, 1, 3, 2}), ElementsAre(1.75, 2.5, 3.25));
}

}  // namespace
}  // namespace rethink
