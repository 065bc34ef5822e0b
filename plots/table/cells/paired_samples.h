// The numbers of two cells for the seeds that both have.
#pragma once

#include <cstdint>
#include <vector>

#include "plots/table/cells/measured_cell.h"
#include "results/statistics/statistics.h"

namespace rethink {

struct PairedSamples {
  std::vector<double> a, b;

  /// Returns `sign` times a - b for each pair; with sign -1 a smaller value is better.
  std::vector<double> gains(double sign) const;
  /// Returns the magnitude of the numbers.
  double size() const;
};
PairedSamples pair_samples(const MeasuredCell& a, const MeasuredCell& b);
/// Returns the same for those of `seeds`.
PairedSamples pair_samples(const MeasuredCell& a, const MeasuredCell& b,
                           const std::vector<int64_t>& seeds);

}  // namespace rethink
