// Gates: tests by a pilot with its own seeds whether attention has any effect where a claim
// compares arms (docs/claims.md).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plots/claim/claim_spec.h"
#include "plots/table/cells/item_test.h"
#include "plots/table/table.h"

namespace rethink {

enum class GateState { passed, closed, waits };
/// Returns "passed", "closed" or "waits".
const char* to_text(GateState state);

/// Result of a pilot for a column, as shown in its table.
struct GateNumbers {
  double gain = 0;                        // mean over all seeds of `row` minus `than`
  std::optional<Interval> interval = {};  // 95%; none if all seeds have the same gain
  /// For a score of labels: the score of `row`, and the score of the best constant answer.
  std::optional<double> score = {}, constant = {};
};

/// A passed or closed gate, which keeps this state.
struct RecordedGate {
  GateNumbers numbers;
  std::string trials;  // as in GateColumn
  std::string day;     // as is_day() accepts it
};

/// A column on which a gate is passed or closed.
struct GateColumn {
  std::string column;  // as requested
  GateNumbers numbers;
  std::string trials;  // digest of the pilot's trials and of the measured values
  std::string why;     // the numbers as a text
};

/// Result of a gate for one column, or for several.
struct GateResult {
  GateState state = GateState::waits;
  /// "its gate is closed on CoLA: 'dense' is better than 'off' by 0.18 (...)"; for a passed gate, of each column.
  std::string why = {};
  std::string needs = {};                 // for a waiting gate: what it needs
  bool runs = false;                      // it waits for trials that can run
  std::set<std::string> lacks_data = {};  // likewise: commands that bring the files of these trials
  std::vector<GateColumn> columns = {};
  std::vector<std::string> remarks = {};  // changes since it was recorded
};

/// Returns the state by these numbers. Closed if `row` gives only one answer for all items, if it is better than
/// `margin` in no seed, or if the interval is not above `margin`. It waits if every seed has the same gain.
GateState state_of(const GateNumbers& numbers, double margin);

/// Opens the gate if `row` is better than the best constant answer of a score of labels, and better
/// than `than` by more than `margin` [as the table shows it], by the 95% interval over all seeds of
/// the gate's table. All of `columns` must pass; for those in `recorded` the recorded numbers
/// count. Throws ConfigError if the table lacks a row or column.
GateResult pass_gate(const GateSpec& gate, const Table& table, const ItemGains* items,
                     const std::vector<std::string>& columns, double margin,
                     const std::map<std::string, RecordedGate>& recorded = {});

/// Returns the number of seeds that the pilot plans in this column. Throws as pass_gate.
size_t pilot_seeds(const GateSpec& gate, const Table& table, const std::string& column);

}  // namespace rethink
