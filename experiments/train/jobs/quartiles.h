// The middle of measured times, and how far they spread.
#pragma once

#include <vector>

namespace rethink {

struct Quartiles {
  double low = 0, median = 0, high = 0;
};

/// By position in the sorted values, between two of them in proportion. Requires: not empty.
Quartiles quartiles_of(std::vector<double> values);

}  // namespace rethink
