// The numbers of two cells for the seeds that both have.
#pragma once

#include <cstdint>
#include <vector>

#include "plots/table/cells/measured_cell.h"
#include "results/statistics/statistics.h"

namespace rethink {

struct PairedSamples {
  std::vector<double> a, b;

  /// `sign` times a - b, pair by pair: with -1 positive where less is better.
  std::vector<double> gains(double sign) const;
  /// The magnitude of the numbers.
  double size() const;
};
PairedSamples pair_samples(const MeasuredCell& a, const MeasuredCell& b);
/// Returns the same for those of `seeds`.
PairedSamples pair_samples(const MeasuredCell& a, const MeasuredCell& b,
                           const std::vector<int64_t>& seeds);

}  // namespace rethink
