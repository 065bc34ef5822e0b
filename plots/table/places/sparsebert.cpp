// Means of an attention matrix over groups of positions, as in SparseBERT (sections 3.1.2, 4.2).
#include <algorithm>
#include <array>

#include "plots/table/cells/attention_matrix.h"
#include "results/statistics/statistics.h"

namespace rethink {
namespace {

/// Groups of positions; each excludes the groups before it.
enum Group {
  kDiagonal,    // the positions of a query's own token
  kEnds,        // first and last row and column, where [CLS] and a full text's [SEP] are
  kNeighbours,  // positions one beside the diagonal
  kOthers
};
constexpr size_t kGroups = 4;

Group group_of(size_t row, size_t column, const Matrix& matrix) {
  if (row == column) return kDiagonal;
  const bool ends =
      row == 0 || column == 0 || row + 1 == matrix.rows || column + 1 == matrix.columns;
  if (ends) return kEnds;
  return row + 1 == column || column + 1 == row ? kNeighbours : kOthers;
}

std::array<std::vector<double>, kGroups> cells_by_group(const Matrix& matrix) {
  std::array<std::vector<double>, kGroups> groups;
  for (size_t row = 0; row < matrix.rows; ++row) {
    for (size_t column = 0; column < matrix.columns; ++column)
      groups[group_of(row, column, matrix)].push_back(matrix.cells[row * matrix.columns + column]);
  }
  return groups;
}

template <Group group>
std::optional<double> group_mean(const Matrix& matrix) {
  const std::vector<double> cells = cells_by_group(matrix)[group];
  return cells.empty() ? std::nullopt : std::optional(mean(cells));
}

/// Returns the cells without the first and last position, which DAM's masks always have.
std::optional<double> inner_diagonal(const Matrix& matrix) {
  const std::vector<double> diagonal = cells_by_group(matrix)[kDiagonal];
  if (diagonal.size() < 3) return std::nullopt;
  return mean(std::vector<double>(diagonal.begin() + 1, diagonal.end() - 1));
}

std::optional<double> others_sd(const Matrix& matrix) {
  return standard_deviation(cells_by_group(matrix)[kOthers]);
}

/// Returns the largest minus the smallest of the four means.
std::optional<double> range_of_means(const Matrix& matrix) {
  std::vector<double> means;
  for (const std::vector<double>& group : cells_by_group(matrix)) {
    if (!group.empty()) means.push_back(mean(group));
  }
  if (means.size() < kGroups) return std::nullopt;
  const auto [least, greatest] = std::minmax_element(means.begin(), means.end());
  return *greatest - *least;
}

template <std::optional<double> (*of_matrix)(const Matrix&)>
std::optional<double> of_own_matrix(const std::vector<Matrix>& heads, size_t head) {
  return of_matrix(heads[head]);
}

RETHINK_REGISTERED = place_kinds().add<NoFields>(
    {.name = "sparsebert", .summary = "diagonal, ends, neighbours and others of a matrix"},
    [](const NoFields&) {
      return std::make_shared<PlaceKinds>(
          PlaceKinds{{{"diagonal", of_own_matrix<group_mean<kDiagonal>>},
                      {"ends", of_own_matrix<group_mean<kEnds>>},
                      {"neighbours", of_own_matrix<group_mean<kNeighbours>>},
                      {"others", of_own_matrix<group_mean<kOthers>>},
                      {"inner_diagonal", of_own_matrix<inner_diagonal>},
                      {"others_sd", of_own_matrix<others_sd>},
                      {"range", of_own_matrix<range_of_means>}}});
    });

}  // namespace
}  // namespace rethink
