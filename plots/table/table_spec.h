// The contents of a table file (docs/tables.md): the trials of each cell, the paper's numbers,
// tests, notes.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/direction.h"
#include "core/yaml/yaml.h"
#include "plots/spec_reader.h"
#include "results/records/trial_records.h"

namespace rethink {

/// A number as a paper prints it.
struct PaperValue {
  double value = 0;
  std::string text;       // "54.08*": the paper's digits and marks
  bool computed = false;  // mean of the paper's numbers, if it prints no mean

  /// Returns the mark after the digits, "*"; "computed".
  std::string mark() const;
};

/// Parses "54.08*": a number, and the text after it. Adds a problem if there is no number.
std::optional<PaperValue> parse_paper_value(const Yaml& text, Problems& problems);

// The significance tests over seeds that a spec can name.

struct SeedTest {
  std::string kind;       // "paired_t"
  std::string text;       // "paired t-test over seeds"
  bool is_paired = true;  // uses only seeds that both rows have; else all seeds of both
  std::optional<double> (*p)(std::span<const double> a, std::span<const double> b);
};
const std::vector<SeedTest>& seed_tests();

/// Requires: a kind of seed_tests.
const SeedTest& seed_test(const std::string& kind);

/// Selects trials: those of a stage of a sweep whose labels match `where`.
struct TrialSelection {
  Word sweep;  // path of the sweep file, as in the spec
  Word stage;
  SpecPairs where;             // label: value; an empty value matches nothing
  bool may_be_absent = false;  // a value that no trial has is allowed, since the sweep was narrowed
};

enum class CellKind {
  metric,       // mean over seeds of a metric
  measurement,  // likewise of a measurement: parameters, seconds
  fact,         // likewise of a fact of an artifact
  places,  // likewise of positions in an artifact's matrices (plots/table/cells/attention_matrix.h)
  imported,  // likewise of an imported score
  mean_of,   // mean of other cells of the row
  ratio,     // one cell of the row over another
  ratio_if_even,  // a token's attention to itself over its attention to one earlier token, if attention were even.
                  // Columns: attention to itself, the same if even, attention to earlier tokens.
  published,  // only the paper's own number
};

/// Returns whether the cell is made from other cells of the row.
inline bool is_derived(std::optional<CellKind> kind) {
  return kind == CellKind::mean_of || kind == CellKind::ratio || kind == CellKind::ratio_if_even;
}

/// One item of `rows` or `columns`: an axis that becomes one line per value, or one labelled line.
struct LineSpec {
  Position at;
  Word axis;                // empty: one labelled line
  std::vector<Word> order;  // of the axis' values; empty = as in the sweep
  SpecPairs labels;         // axis value: shown label
  /// Label of a value that `order` lacks, with {} for the value: "λ={}". Empty: with an `order`,
  /// such a value has no line.
  std::string others;
  std::string label;
  SpecPairs where;
  std::optional<Word> sweep, stage;
  std::optional<std::string> published;  // a row or column that is not run, with the reason

  // Columns only.
  std::optional<CellKind> kind;  // missing: the table's metric
  std::optional<ValueName> value;
  Position value_at;
  std::vector<Word> of;    // mean_of: an axis or labels; ratio: two labels; ratio_if_even: three
  std::vector<Word> from;  // stages of earlier trials that have the value
  std::optional<Direction> direction;
  std::optional<int64_t> decimals;
  double scale = 1;  // factor from trials' values to shown values
  /// Why no planned trial may give the column a number: the stage is left out, or its trials do not
  /// measure this. The column is then shown with this reason.
  std::optional<std::string> unplanned;
};

/// A test over the items of the reported split, not over seeds (plots/table/cells/item_test.h).
inline constexpr const char* kPairedBootstrap = "paired_bootstrap";

/// A significance test of every row against one row, or against the first row of its group.
struct TestSpec {
  Position at;                    // position of the baseline
  std::vector<Word> baselines;    // labels or axis values of rows
  std::string kind = "paired_t";  // a kind of seed_tests; over items kPairedBootstrap
  std::string correction = "holm";
  double alpha = 0.05;
};

/// Marks of cells that differ by a table's first test, and by its second.
inline constexpr std::array<const char*, 2> kTestMarks = {"*", "†"};

/// The paper's numbers: row, column, value; in the order of the file.
struct PaperEntry {
  Word row, column;
  PaperValue value;
};

/// The words for a table in messages; for a table behind a figure, the figure's words.
struct TableWords {
  std::string table = "table", row = "row", column = "column";
  std::string keys = "rows, columns";  // keys with the lines
};

/// A sentence below a table or figure. If it names lines, it is shown if one of each kind is shown;
/// if it names profiles, under these profiles.
struct NoteSpec {
  std::string text;
  std::map<std::string, std::vector<Word>> lines = {};  // by key: rows, columns; series of a figure
  std::vector<Word> profiles = {};                      // kNoProfile: without a profile
};

inline constexpr const char* kNoProfile = "none";

struct TableSpec {
  std::string name;  // "bet/table2"
  std::string title;
  std::filesystem::path file;
  TrialSelection trials;
  std::vector<std::string> over;  // axes over which a cell averages, beside seeds
  std::optional<ValueName> metric;
  Position metric_at;
  bool percent = false;  // metrics are fractions, shown in %
  std::vector<LineSpec> rows, columns;
  TableWords words;
  Direction direction = Direction::unknown;
  std::optional<int64_t> decimals;  // none: as many as the column's numbers need (derived_table.h)
  std::string spread = "sd";        // sd, sem, ci95
  int64_t wanted_seeds = 3;         // fewer are marked
  std::vector<std::string> differ;  // properties in which arms may differ without a mark
  std::vector<TestSpec> tests;      // at most one for each of kTestMarks, with one baseline
  std::vector<PaperEntry> paper;
  bool paper_apart = false;  // a figure draws the paper's numbers at separate positions
  std::vector<NoteSpec> notes;
  /// Columns that are left out, with the reason that their sweeps cannot be planned
  /// (plots/table/lines/left_out_columns.h).
  std::map<std::string, std::string> left_out = {};
};

class TableKind;

/// Contents of a file of plots/tables.
struct TableFile {
  TableSpec numbers;                      // a table of numbers
  std::shared_ptr<const TableKind> kind;  // null: a table of numbers

  /// Returns the spec of the trials, for both kinds.
  const TableSpec& spec() const;
};

/// Reads a table of any kind. Throws ConfigError with every problem and its position. `paths` are
/// search folders of find_spec_sweep; a sweep that is not found is a problem too.
TableFile read_table_file(const std::filesystem::path& file,
                          const std::vector<std::filesystem::path>& paths = {});

/// Reads the spec of a table of numbers. Throws ConfigError with every problem and its position.
TableSpec read_table_spec(const std::filesystem::path& file);
/// Does the same for a document that was read from `file` with these problems.
TableSpec read_table_spec(const Yaml& document, const std::filesystem::path& file,
                          Problems& problems);

/// Returns "test" and "perplexity@best" for "test/perplexity@best".
ValueName value_named(const std::string& text);
/// Returns the parts of "split/name". Adds a problem and returns nothing for any other form.
std::optional<ValueName> parse_value_name(const Yaml& text, Problems& problems);
/// Returns `name`, with "@last" if it has no "@".
ValueName final_value(ValueName name);
/// Reads the keys sweep, stage, where and over, which select the trials of cells.
void read_trials(SpecReader& reader, TableSpec& spec);
/// Reads the keys metric, percent, spread, seeds and differ: the shown values of these trials.
void read_values(SpecReader& reader, TableSpec& spec, Problems& problems);
/// Reads the key `notes`: texts, or maps with a text, its profiles, and `keys`, which name the
/// lines.
std::vector<NoteSpec> read_notes(SpecReader& reader, const std::vector<std::string>& keys,
                                 Problems& problems);

/// Reads the common parts of every line: its axis or label, and the selection of trials.
LineSpec read_line_trials(SpecReader& reader);
/// Reads a line, called `what` in messages, without other parts.
LineSpec read_plain_line(const Yaml& given, const std::string& what, Problems& problems);
/// Returns a column of artifacts, measured by their size: a done trial has the artifact, or is
/// reported to lack it.
LineSpec artifact_column(const std::string& artifact, const Position& at);
/// Limits on the cells of a table, and on the trials of all cells.
constexpr size_t kMostCells = 100'000, kMostCellTrials = 2'000'000;
/// Adds a problem if `line`, a `what` in `given`, has neither an axis nor a label, or both.
void require_axis_or_label(const LineSpec& line, const Yaml& given, const std::string& what,
                           Problems& problems);

/// Returns every sweep file of the spec, sorted, without duplicates.
std::vector<Word> sweeps_of(const TableSpec& spec);
/// Returns the same for several specs that belong together.
std::vector<Word> sweeps_of(const std::vector<const TableSpec*>& specs);

/// Returns the factor of a column's values.
double scale_of(const TableSpec& spec, CellKind kind);

/// Returns the label of `pairs` with this key, or nothing.
const std::string* find_pair(const SpecPairs& pairs, const std::string& key);

}  // namespace rethink
