// Shares of the positions of a matrix [%]: positions that are zero, and positions that differ from
// other heads.
#include "plots/table/cells/attention_matrix.h"
#include "results/statistics/statistics.h"

namespace rethink {
namespace {

std::optional<double> share_of_zeros(const std::vector<Matrix>& heads, size_t head) {
  return 100 * heads[head].sparsity();
}

/// Mean over the other heads.
std::optional<double> share_apart_from_others(const std::vector<Matrix>& heads, size_t head) {
  std::vector<double> shares;
  const std::vector<double>& own = heads[head].cells;
  for (size_t other = 0; other < heads.size(); ++other) {
    if (other == head) continue;
    size_t different = 0;
    for (size_t cell = 0; cell < own.size(); ++cell) {
      if (own[cell] != heads[other].cells[cell]) ++different;
    }
    shares.push_back(100 * static_cast<double>(different) / static_cast<double>(own.size()));
  }
  return shares.empty() ? std::nullopt : std::optional(mean(shares));
}

RETHINK_REGISTERED = place_kinds().add<NoFields>(
    {.name = "shares", .summary = "shares of all cells that are zero, or differ between heads"},
    [](const NoFields&) {
      return std::make_shared<PlaceKinds>(
          PlaceKinds{{{"sparsity", share_of_zeros}, {"apart", share_apart_from_others}}});
    });

}  // namespace
}  // namespace rethink
