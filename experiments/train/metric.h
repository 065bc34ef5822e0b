// Metrics by name: experiments/train/metrics, one file each. Facts of a metric:
//   {"direction": "min" | "max"}   which way is better
//   {"items": {"mean_over": "tokens" | "items", "shown_as": "nats" | "bits" | "exp"}}
//                                  how it follows from the losses of sequences, for tests over them
//   {"unit": "character"}          only where tokens are characters; absent = anywhere
#pragma once

#include <cstdint>
#include <span>

#include "core/registry.h"

namespace rethink {

/// How well one sequence was predicted.
struct SequenceLoss {
  double nll = 0.0;    // negative log-likelihood, summed over its predicted tokens [nats]
  int64_t tokens = 0;  // predicted tokens
};

class Metric {
 public:
  virtual ~Metric() = default;
  /// Sequences without a predicted token count for nothing; NaN when none has one.
  virtual double value(std::span<const SequenceLoss> sequences) const = 0;
};

using MetricRegistry = Registry<Metric>;
MetricRegistry& metrics();

/// Whether a smaller value of the metric `name` is better.
bool smaller_is_better(const std::string& name);

/// Negative log-likelihood of a token, over all tokens of all sequences [nats].
double nats_per_token(std::span<const SequenceLoss> sequences);

}  // namespace rethink
