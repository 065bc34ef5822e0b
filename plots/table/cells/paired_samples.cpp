#include "plots/table/cells/paired_samples.h"

#include <algorithm>
#include <iterator>

namespace rethink {

double PairedSamples::size() const {
  return std::max(largest(a), largest(b));
}

std::vector<double> PairedSamples::gains(double sign) const {
  std::vector<double> all(a.size());
  std::ranges::transform(a, b, all.begin(), [&](double x, double y) { return sign * (x - y); });
  return all;
}

PairedSamples pair_samples(const MeasuredCell& a, const MeasuredCell& b) {
  PairedSamples pairs;
  for (const Sample& x : a.samples) {
    for (const Sample& y : b.samples) {
      if (x.seed != y.seed) continue;
      pairs.a.push_back(x.value);
      pairs.b.push_back(y.value);
    }
  }
  return pairs;
}

PairedSamples pair_samples(const MeasuredCell& a, const MeasuredCell& b,
                           const std::vector<int64_t>& seeds) {
  const auto some_of = [&](const MeasuredCell& cell) {
    MeasuredCell some;
    std::ranges::copy_if(cell.samples, std::back_inserter(some.samples), [&](const Sample& sample) {
      return std::ranges::count(seeds, sample.seed) > 0;
    });
    return some;
  };
  return pair_samples(some_of(a), some_of(b));
}

}  // namespace rethink
