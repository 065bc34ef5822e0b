// A complete cell: its measured number, and the comparisons with the paper's number and with the
// baseline's row.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "plots/table/cells/measured_cell.h"
#include "plots/table/table_spec.h"
#include "results/statistics/statistics.h"

namespace rethink {

/// Result of a table's test for a cell against its baseline.
struct CellTest {
  std::optional<double> p;  // corrected
  bool significant = false;
  bool unvaried = false;  // no p, since all seeds differ from the baseline by the same number
};

/// Seeds that a comparison can use, and planned seeds.
struct SeedsSoFar {
  size_t done = 0, planned = 0;
};

struct Cell : MeasuredCell {
  std::optional<PaperValue> paper;
  std::optional<double> difference;          // ours minus the paper's
  std::optional<double> delta, paper_delta;  // from the baseline's row
  std::optional<Interval> delta_interval;    // 95%, of paired_bootstrap
  // Replace `difference`, and `delta` with the tests, while trials must still run, since results of
  // few seeds may turn.
  std::optional<SeedsSoFar> difference_awaits, delta_awaits;
  std::vector<CellTest> tests;            // one for each test of the table
  bool best = false, paper_best = false;  // of its column

  /// Returns whether any test is significant.
  bool is_significant() const { return std::ranges::any_of(tests, &CellTest::significant); }
};

}  // namespace rethink
