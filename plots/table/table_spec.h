// What a table file says (docs/tables.md): which trials make which cell, the paper's numbers, tests,
// notes.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/config/yaml.h"
#include "plots/spec_reader.h"
#include "results/query/trial_records.h"

namespace rethink {

/// A number that a paper prints, as it prints it.
struct PaperValue {
  double value = 0;
  std::string text;       // "54.08*": digits and marks of the paper
  bool computed = false;  // the mean of what it prints, where it prints no mean

  /// Mark behind the digits, "*"; "computed".
  std::string mark() const;
};

/// "54.08*": a number, and what stands behind it. Adds a problem when there is no number.
std::optional<PaperValue> parse_paper_value(const Yaml& text, Problems& problems);

// The significance tests over seeds that a table's spec can name.

struct SeedTest {
  std::string kind;       // "paired_t"
  std::string text;       // "paired t-test over seeds"
  bool is_paired = true;  // takes the values of the seeds that both rows have; else all of both
  std::optional<double> (*p)(std::span<const double> a, std::span<const double> b);
};
const std::vector<SeedTest>& seed_tests();

/// Requires: one of these kinds.
const SeedTest& seed_test(const std::string& kind);

/// Which trials: those of a stage of a sweep whose labels are as `where` says.
struct TrialSelection {
  Word sweep;  // path of the sweep file, as the spec gives it
  Word stage;
  SpecPairs where;             // label: value; an empty value is never wanted
  bool may_be_absent = false;  // a value that no trial has is no mistake: the sweep was narrowed
};

enum class CellKind {
  metric,       // mean over seeds of a metric
  measurement,  // likewise of a measurement: parameters, seconds
  fact,         // likewise of a fact of an artifact
  places,  // likewise of kinds of places in an artifact's matrices (plots/table/cells/attention_matrix.h)
  imported,  // likewise of a score that came from outside
  mean_of,   // mean of other cells of the row
  ratio,     // one cell of the row over another
  ratio_if_even,  // attention to oneself over that to one token before, if each token attended evenly: of the mean
                  // attention to oneself, that if it were even, and that to those before
  published,  // only the paper's own number
};

/// Made of other cells of the row.
inline bool is_derived(std::optional<CellKind> kind) {
  return kind == CellKind::mean_of || kind == CellKind::ratio || kind == CellKind::ratio_if_even;
}

/// One item of `rows` or `columns`: an axis that becomes one line per value, or one labelled line.
struct LineSpec {
  Position at;
  Word axis;                // empty: one labelled line
  std::vector<Word> order;  // of the axis' values; empty = as the sweep has them
  SpecPairs labels;         // axis value: what is shown
  /// What is shown of a value that `order` does not name, {} standing for the value: "λ={}". Empty: beside an `order`
  /// it has no line.
  std::string others;
  std::string label;
  SpecPairs where;
  std::optional<Word> sweep, stage;
  std::optional<std::string> published;  // a row or column that is not run: says why

  // Columns only.
  std::optional<CellKind> kind;  // not set: the table's metric
  std::optional<ValueName> value;
  Position value_at;
  std::vector<Word> of;    // mean_of: an axis or labels; ratio: two labels; ratio_if_even: three
  std::vector<Word> from;  // stages: the value is of the trials there that a cell's go on from
  std::optional<std::string> direction;
  std::optional<int64_t> decimals;
  double scale = 1;  // of what trials have, as a table shows it
  /// Why no trial that is planned may give it a number: the stage is left out, or its trials do not
  /// measure this. Then the column is shown all the same, and says so.
  std::optional<std::string> unplanned;
};

/// Over the items of the reported split, not over seeds (plots/table/cells/item_test.h).
inline constexpr const char* kPairedBootstrap = "paired_bootstrap";

/// A significance test of every row against one, or against the one that its group begins with.
struct TestSpec {
  Position at;                    // of the baseline
  std::vector<Word> baselines;    // labels or axis values of rows
  std::string kind = "paired_t";  // of seed_tests; over items kPairedBootstrap
  std::string correction = "holm";
  double alpha = 0.05;
};

/// What marks a cell that a table's first test calls different, and its second.
inline constexpr std::array<const char*, 2> kTestMarks = {"*", "†"};

/// The paper's numbers: row, column, value; in the order of the file.
struct PaperEntry {
  Word row, column;
  PaperValue value;
};

/// What a table is called in messages; a figure, which is a table underneath, has words of its own.
struct TableWords {
  std::string table = "table", row = "row", column = "column";
  std::string keys = "rows, columns";  // that the lines stand under
};

/// A sentence below a table or figure; one that names lines, where one of each kind is shown; one
/// that names profiles, under these.
struct NoteSpec {
  std::string text;
  std::map<std::string, std::vector<Word>> lines = {};  // by key: rows, columns; series of a figure
  std::vector<Word> profiles = {};                      // kNoProfile: where none is chosen
};

inline constexpr const char* kNoProfile = "none";

struct TableSpec {
  std::string name;  // "bet/table2"
  std::string title;
  std::filesystem::path file;
  TrialSelection trials;
  std::vector<std::string> over;  // axes that a cell averages over, beside seeds
  std::optional<ValueName> metric;
  Position metric_at;
  bool percent = false;  // metrics are fractions, and shown in %
  std::vector<LineSpec> rows, columns;
  TableWords words;
  std::string direction;            // min, max, or empty: neither is better
  std::optional<int64_t> decimals;  // not set: what the numbers of a column need (derived_table.h)
  std::string spread = "sd";        // sd, sem, ci95
  int64_t wanted_seeds = 3;         // fewer are marked
  std::vector<std::string> differ;  // what arms are meant to differ in, and are not marked for
  std::vector<TestSpec> tests;      // at most one for each of kTestMarks; of one baseline
  std::vector<PaperEntry> paper;
  bool paper_apart = false;  // a figure draws the paper's numbers at places of their own
  std::vector<NoteSpec> notes;
  /// Columns that are not made, and why: their sweeps cannot be planned (plots/table/lines/left_out_columns.h).
  std::map<std::string, std::string> left_out = {};
};

/// The spec of a table of numbers. Throws ConfigError with every problem and its place.
TableSpec read_table_spec(const std::filesystem::path& file);
/// Likewise of a document that was read from `file` with these problems.
TableSpec read_table_spec(const Yaml& document, const std::filesystem::path& file,
                          Problems& problems);

/// "test", "perplexity@best" of "test/perplexity@best".
ValueName value_named(const std::string& text);
/// Returns the parts of "split/name". Adds a problem and returns nothing for any other form.
std::optional<ValueName> parse_value_name(const Yaml& text, Problems& problems);
/// Returns `name`, with "@last" if it has no "@".
ValueName final_value(ValueName name);
/// Reads the keys sweep, stage, where and over, which select the trials of cells.
void read_trials(SpecReader& reader, TableSpec& spec);
/// The keys metric, percent, spread, seeds and differ: what is shown of these trials.
void read_values(SpecReader& reader, TableSpec& spec, Problems& problems);
/// The key `notes`: texts, or maps with a text, the profiles that it is about, and `keys`, which name
/// the lines.
std::vector<NoteSpec> read_notes(SpecReader& reader, const std::vector<std::string>& keys,
                                 Problems& problems);

/// What every line has: its axis or label, and which trials are meant.
LineSpec read_line_trials(SpecReader& reader);
/// A line, called `what` in messages, that has nothing else.
LineSpec read_plain_line(const Yaml& given, const std::string& what, Problems& problems);
/// A column of artifacts, measured by their size: a trial that is done has one, or is said to lack
/// it.
LineSpec artifact_column(const std::string& artifact, const Position& at);
/// Cells of a table, and the trials of all of them.
constexpr size_t kMostCells = 100'000, kMostCellTrials = 2'000'000;
/// Adds a problem where `line`, a `what` that `given` says, has neither or both.
void require_axis_or_label(const LineSpec& line, const Yaml& given, const std::string& what,
                           Problems& problems);

/// Every sweep file that the spec names, each once, sorted.
std::vector<Word> sweeps_of(const TableSpec& spec);
/// Returns the same for several specs that belong together.
std::vector<Word> sweeps_of(const std::vector<const TableSpec*>& specs);

/// Factor of a column's values.
double scale_of(const TableSpec& spec, CellKind kind);

/// Returns the label of `pairs` with this key, or nothing.
const std::string* find_pair(const SpecPairs& pairs, const std::string& key);

}  // namespace rethink
