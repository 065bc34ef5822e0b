#include "models/masks/window_global.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "models/masks/mask.h"

namespace rethink {
namespace {

constexpr int kMostDraws = 64;
constexpr double kNearEnough = 1.5;

MaskCells drawn(const WindowGlobal& parts, int64_t n, MaskDraw& draw) {
  std::vector<bool> global(static_cast<size_t>(n));
  for (const int64_t position : draw.distinct(std::min(parts.globals, n), n))
    global[static_cast<size_t>(position)] = true;
  MaskCells cells = cells_where(n, [&](int64_t query, int64_t key) {
    return std::abs(query - key) <= parts.window || global[static_cast<size_t>(query)] ||
           global[static_cast<size_t>(key)];
  });
  for (int64_t query = 0; query < n; ++query) {
    for (int64_t i = 0; i < parts.random; ++i)
      cells[static_cast<size_t>(query * n + draw.below(n))] = 1;
  }
  return cells;
}

}  // namespace

double WindowGlobal::expected_cells(int64_t n) const {
  const double positions = static_cast<double>(n);
  const double reach = static_cast<double>(std::min(window, n - 1));
  const double near = positions * (2 * reach + 1) - reach * (reach + 1);
  if (n == 1) return near;
  const double others = static_cast<double>(n - std::min(globals, n));
  // A far cell is empty when neither end is global and no draw of its query hits it.
  const double no_global = others * (others - 1) / (positions * (positions - 1));
  const double no_random = std::pow(1 - 1 / positions, static_cast<double>(random));
  return near + (positions * positions - near) * (1 - no_global * no_random);
}

MaskCells WindowGlobal::cells(int64_t n) const {
  MaskDraw draw(seed, pattern);
  const double expected = expected_cells(n);
  MaskCells best;
  double least = 0;
  for (int i = 0; i < kMostDraws; ++i) {
    MaskCells cells = drawn(*this, n, draw);
    const auto count = std::accumulate(cells.begin(), cells.end(), int64_t{0});
    const double distance = std::abs(static_cast<double>(count) - expected);
    if (best.empty() || distance < least) best = std::move(cells), least = distance;
    if (least < kNearEnough) break;
  }
  return best;
}

}  // namespace rethink
