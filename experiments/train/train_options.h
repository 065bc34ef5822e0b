// The options that every job with a training loop shares, at the top level of a stage.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/config/options.h"
#include "datasets/batching.h"

namespace rethink {

/// What is measured, and when, and which weights are kept (docs/sweeps.md).
struct EvaluateOptions {
  int64_t every = 0;
  bool epoch_ends = false;
  std::vector<std::string> splits = {"dev", "test"};
  std::optional<std::string> metric;
  std::string keep = "best";
  std::optional<int64_t> patience;
  bool min_test = false;
  std::optional<std::string> test;
  std::optional<int64_t> dev_examples;

  void fields(Fields& field);
  static std::vector<Rule> rules();
};

/// When training counts as diverged.
struct DivergenceOptions {
  double factor = 3.0;
  int64_t steps = 200;

  void fields(Fields& field);
};

struct TrainOptions {
  std::optional<int64_t> steps, epochs;
  int64_t batch = 64;
  int64_t accumulate = 1;
  bool shuffle = true;
  bool buckets = true;
  Choice<"optimizer"> optimizer{.name = "adam"};
  Choice<"schedule"> schedule{.name = "constant"};
  double clip = 0.0;
  std::string precision = "float32";
  EvaluateOptions evaluate;
  DivergenceOptions divergence;
  int64_t log_every = 50;
  std::optional<int64_t> diagnose_every;
  std::optional<int64_t> checkpoint_every;

  void fields(Fields& field);
  static std::vector<Rule> rules();
  /// Returns the job's fact `beside_memory` (core/facts/job_facts.h).
  static std::vector<std::string> beside_memory() { return {"optimizer", "schedule", "evaluate"}; }

  BatchingOptions batching() const {
    return {.batch = batch, .shuffle = shuffle, .buckets = buckets};
  }
};

}  // namespace rethink
