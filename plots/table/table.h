// A table as numbers: every cell with its trials, its spread, the paper's number and what must be
// said about it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/config/value_equality.h"
#include "core/format/numeric_environment.h"
#include "plots/table/grid.h"
#include "plots/table/item_metric.h"
#include "plots/table/mark.h"
#include "plots/table/records.h"
#include "results/statistics/statistics.h"

namespace rethink {

/// One seed's number; the mean over its trials where a cell averages over axes.
struct Sample {
  int64_t seed = 0;  // 0 for trials without one
  double value = 0;
};

/// What one of a table's tests says of a cell against its baseline.
struct CellTest {
  std::optional<double> p;  // corrected
  bool significant = false;
  bool unvaried = false;  // no p, since its seeds differ from the baseline's all by the same
};

struct Cell {
  CellKind kind = CellKind::metric;
  std::vector<std::string> trials;       // planned; the winner's for a cell of a select stage
  std::vector<int64_t> trial_seeds;      // of each of these
  std::vector<std::string> trial_begun;  // when the first attempt of each began; empty: not yet
  std::vector<std::string> selects;      // of a select stage: the trials that chose them
  std::vector<Sample> samples;           // by seed
  std::map<int64_t, std::vector<double>> heads;  // of places: each head's number, by seed
  std::set<int64_t> planned_seeds;
  std::vector<int64_t> diverged;                  // seeds of which a trial diverged
  std::map<int64_t, std::set<MarkKind>> lacking;  // seeds without a number: the reasons
  std::set<size_t> candidates;      // how many each trial's numbers were chosen among; 1: no select
  SeenEnvironments environments{};  // of the trials with a number
  std::optional<double> value;      // mean of the samples
  std::optional<double> spread;     // from two samples on
  std::optional<PaperValue> paper;
  std::optional<double> difference;          // ours less the paper's
  std::optional<double> delta, paper_delta;  // to the baseline's row
  std::optional<Interval> delta_interval;    // 95%, of paired_bootstrap
  std::vector<CellTest> tests;               // as many as the table's
  bool best = false, paper_best = false;     // of its column
  std::vector<Mark> marks;

  size_t planned() const { return planned_seeds.size(); }  // seeds
  bool has(MarkKind mark) const;
  /// No run under this profile gives it a number: of columns' means those too of which one is so.
  bool is_unplanned() const;
  /// A trial has yet to run, or to run again.
  bool waits() const;
  /// It waits, or a trial that is done has not the value.
  bool incomplete() const;
  /// The value leaves out seeds that diverged: a mean of survivors, which is never best and never
  /// tested.
  bool of_survivors() const { return value && !diverged.empty(); }
  /// By any test.
  bool is_significant() const;
};

struct TableLine {
  std::string label, key;
  ValueType type = ValueType::label;  // of the key
};

struct TableRow : TableLine {
  std::string baseline;  // label of the row that it is compared with; empty: with none
};

struct TableColumn : TableLine {
  CellKind kind = CellKind::metric;
  std::string value;      // "test/perplexity@best"
  std::string direction;  // min, max, or empty
  int64_t decimals = 2;
  bool stays = false;             // shown also where no trial is planned
  double scale = 1;               // what is shown is so many times the metric: 100 of percentages
  std::optional<double> kendall;  // between our order of the rows and the paper's
  size_t kendall_rows = 0;
  size_t kendall_left_out = 0;  // rows whose models give always the same answer
  std::vector<size_t> parts{};  // columns that it is the mean or the ratio of
};

struct Table {
  std::string name, title, profile, spread;
  std::string settings;  // chosen beside the profile: "--set optimizer.lr=1 --seeds 0,1"
  CommandWords again;
  std::vector<TableRow> rows;
  std::vector<TableColumn> columns;
  std::vector<std::vector<Cell>> cells;  // [row][column]
  std::vector<TestSpec> tests;
  int64_t wanted_seeds = 3;
  size_t item_resamples = 0;            // that paired_bootstrap took
  bool has_item_metric = false;         // paired_bootstrap can compare some column
  std::vector<std::string> notes;       // said below the table, in order
  std::vector<std::string> draw_notes;  // those of them on draws (plots/table/draw_notes.h)
  std::vector<NoteSpec> bound_notes;    // those of them that are about some lines
  std::map<std::string, std::vector<std::string>>
      to_run;                    // sweep file as the spec names it: trials yet to run
  std::set<std::string> needed;  // trials that those need, which are yet to run too
  std::map<std::string, std::string> sweep_names;  // by the same
  size_t incomplete_cells = 0;

  /// The row that this one is compared with; none where it is a baseline itself or there is none.
  std::optional<size_t> baseline_of(size_t row) const;
  size_t num_trials() const;
  size_t num_to_run() const;
};

/// The indices of the rows or columns called `name`: by their labels, else by their axis' value as it
/// is written, else by a value that is the same number. Several: the name does not say which.
template <typename Line>
std::vector<size_t> lines_called(const std::vector<Line>& lines, const WrittenValue& name) {
  std::vector<size_t> by_label, by_text, by_number;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].label == name.text) by_label.push_back(i);
    if (!same_value({lines[i].key, lines[i].type}, name)) continue;
    by_number.push_back(i);
    if (lines[i].key == name.text) by_text.push_back(i);
  }
  return !by_label.empty() ? by_label : !by_text.empty() ? by_text : by_number;
}

/// The index of the one row or column called `name`; none where there is none or several.
template <typename Line>
std::optional<size_t> find_line(const std::vector<Line>& lines, const WrittenValue& name) {
  const std::vector<size_t> found = lines_called(lines, name);
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

/// "has 2 rows 'one'; ...", with what to write instead. `values` are the lines' keys.
std::string text_of_several(const std::string& name, const std::string& kind,
                            const std::vector<std::string>& values);

/// What text_of_several says where `name` fits several of `lines`, which are of `kind` ("row"); else
/// empty.
template <typename Line>
std::string trouble_of_several(const std::vector<Line>& lines, const WrittenValue& name,
                               const std::string& kind) {
  std::vector<std::string> values;
  for (const size_t i : lines_called(lines, name)) values.push_back(lines[i].key);
  return values.size() < 2 ? "" : text_of_several(name.text, kind, values);
}

/// `records` are of trials_of(grid), and the states of parents_of(grid). `metrics` are those that
/// paired_bootstrap can resample. Throws ConfigError when the spec names a
/// row or column that the grid does not have.
Table make_table(const TableSpec& spec, const Grid& grid, const TrialRecords& records,
                 const ItemMetrics& metrics = {});

/// Ids of every trial that the table's cells are made of, each once.
std::vector<std::string> trials_of(const Grid& grid);
/// Ids of every trial that those need, and these in turn: make_table wants their states.
std::vector<std::string> parents_of(const Grid& grid);

}  // namespace rethink
