// Finds a claim's rows and columns in its table, and chooses the row to compare.
#pragma once

#include <set>

#include "plots/claim/claim.h"

namespace rethink {

/// Throws ConfigError at the claim.
[[noreturn]] void refuse(const ClaimSpec& claim, const std::string& text);
/// Does the same at the position where the claim names this row or column.
[[noreturn]] void refuse_name(const ClaimSpec& claim, const std::string& name,
                              const std::string& text);
/// Return rows or columns by labels or values (lines_called in plots/table/lines/grid.h). Throw for
/// a missing or ambiguous name.
size_t find_row(const ClaimSpec& claim, const Table& table, const std::string& name);
size_t find_column(const ClaimSpec& claim, const Table& table, const std::string& name);
/// Returns the first of the claim's columns that is planned completely, else the last.
size_t tested_column(const ClaimSpec& claim, const Table& table);
/// Returns the claim with the looks of its tested column, up to the column's last look. Refuses a
/// last look of a column that the table lacks.
ClaimSpec with_looks_of_column(const ClaimSpec& claim, const Table& table);
/// Returns the column of `than`.
size_t other_column(const ClaimSpec& claim, const Table& table, size_t column);

/// Returns a row's cell, or the mean of several rows' cells.
MeasuredCell cell_of(const ClaimSpec& claim, const Table& table,
                     const std::vector<std::string>& rows, size_t column);
/// Returns the mean of the paper's own numbers; nothing if the paper does not print all of them.
std::optional<double> paper_mean(const ClaimSpec& claim, const Table& table,
                                 const std::vector<std::string>& rows, size_t column);

/// Returns the seeds that all these cells plan. Requires: not empty.
std::set<int64_t> seeds_planned_by_all(const std::vector<const MeasuredCell*>& cells);

/// Returns what the plan leaves out of `rows` in `column` and, for a mean, in its parts: "profile
/// small plans no trial of row 'BET(SG)' in column 'De-En'"; "" if nothing.
std::string left_out_text(const Table& table, const std::set<size_t>& rows,
                          const std::set<size_t>& columns);

enum class Numbers { ours, papers };

/// Values that not_below compares.
struct Comparable {
  ClaimSpec claim;  // if it names several rows: with only the lowest row that is not below `than`
  std::string chosen;   // this row and the numbers that chose it; empty: there was no choice
  std::string against;  // why nothing is comparable; empty: something is
};
Comparable comparable(const ClaimSpec& claim, const Table& table, Numbers numbers);

}  // namespace rethink
