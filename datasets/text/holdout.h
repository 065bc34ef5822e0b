// Splits of texts that come without any.
#pragma once

#include <string>
#include <vector>

#include "datasets/text/text_dataset.h"

namespace rethink {

/// Each line belongs to dev, test or train by Philox from (seed, its number): an even spread over
/// the text, the same on every machine, and a line keeps its split when lines are added behind it.
/// The order of lines stays.
std::vector<SplitText> hold_out_lines(std::string_view text, double dev, double test,
                                      uint64_t seed);

/// Contiguous parts in order: train, then dev, then test. A piece is never cut.
std::vector<SplitText> hold_out_tail(const std::vector<std::string>& pieces, double dev,
                                     double test);

}  // namespace rethink
