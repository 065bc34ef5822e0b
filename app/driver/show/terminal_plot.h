// Curves on a terminal, as a grid of braille dots (2 x 4 in each character).
#pragma once

#include <string>
#include <vector>

#include "results/query/curves.h"

namespace rethink {

/// Returns `height` lines of dots with the axes' ends beside them, then one line per curve: its
/// mark, label, last value. Curves beyond the ninth share the last mark. Values that are not finite
/// are left out.
std::string terminal_plot(const std::vector<Curve>& curves, size_t width = 72, size_t height = 16);

}  // namespace rethink
