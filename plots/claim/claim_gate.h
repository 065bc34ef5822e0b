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
/// "passed", "closed", "waits".
const char* to_text(GateState state);

/// Result of a pilot for a column, as shown in its table.
struct GateNumbers {
  double gain = 0;                        // of `row` over `than`, the mean over all seeds
  std::optional<Interval> interval = {};  // of 95%; none where all seeds have the same gain
  /// For a score of labels: the score of `row`, and the score of the best constant answer.
  std::optional<double> score = {}, constant = {};
};

/// A passed or closed gate stays so.
struct RecordedGate {
  GateNumbers numbers;
  std::string trials;  // as of GateColumn
  std::string day;     // as is_day() has it
};

/// A column on which a gate is passed or closed.
struct GateColumn {
  std::string column;  // as it was asked for
  GateNumbers numbers;
  std::string trials;  // digest of the pilot's trials, and of what is measured
  std::string why;     // the numbers as a text
};

/// Result of a gate for one column, or for several.
struct GateResult {
  GateState state = GateState::waits;
  /// "its gate is closed on CoLA: 'dense' is better than 'off' by 0.18 (...)"; passed: of each column.
  std::string why = {};
  std::string needs = {};                 // it waits: for what
  bool runs = false;                      // it waits for trials that have yet to run
  std::set<std::string> lacks_data = {};  // likewise: what brings the files that these read
  std::vector<GateColumn> columns = {};
  std::vector<std::string> remarks = {};  // what has changed since it was recorded
};

/// By these numbers alone: closed where `row` has no more than one answer for all items, where it is better in no
/// seed by as much, or where the interval does not lie above `margin`; it waits where each seed gains the same.
GateState state_of(const GateNumbers& numbers, double margin);

/// Opens where `row` is better than the best constant answer of a score of labels, and better than `than` by more
/// than `margin` [as the table shows it], by the 95% interval over all seeds of the gate's table. `columns`: all of
/// them must pass; of those that are `recorded` the numbers on record count. Throws ConfigError where the table
/// lacks a row or column.
GateResult pass_gate(const GateSpec& gate, const Table& table, const ItemGains* items,
                     const std::vector<std::string>& columns, double margin,
                     const std::map<std::string, RecordedGate>& recorded = {});

/// How many seeds the pilot plans in this column. Throws as pass_gate.
size_t pilot_seeds(const GateSpec& gate, const Table& table, const std::string& column);

}  // namespace rethink
