#include "experiments/train/batches/joined_batches.h"

#include <algorithm>

namespace rethink {
namespace {

/// More tokens per pass do not speed up a GPU: its products are already large and its launches few.
constexpr int64_t kTokensOfPass = 32768;
/// The share of a GPU's memory for a pass; weights, moments and other trials need the rest.
constexpr double kShareOfGpu = 0.4;

}  // namespace

int64_t batches_that_fit(const PassShape& batch, int64_t most, int64_t gpu_bytes) {
  const double bytes = activation_bytes(batch);
  const auto fit = static_cast<int64_t>(kShareOfGpu * static_cast<double>(gpu_bytes) / bytes);
  const int64_t enough = kTokensOfPass / (batch.rows * batch.tokens);
  return std::clamp<int64_t>(std::min(fit, enough), 1, most);
}

}  // namespace rethink
