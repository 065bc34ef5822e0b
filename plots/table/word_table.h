// Tables whose cells are words: which tokens of a sentence the models of trials attended to, the
// paper's words beside ours (docs/tables.md, "A table of words").
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plots/figure/panels.h"
#include "plots/table/table.h"

namespace rethink {

struct WordRowSpec {
  std::string label;
  int64_t sentence = 1;          // of the artifact, from 1
  std::optional<int64_t> layer;  // from 1; none: a row for each layer
  std::string until;             // up to its target, what the paper's words are of; empty: anything
};

struct PaperWords {
  Word row, column;
  std::vector<std::string> words;
};

struct WordTableSpec {
  TableSpec models;  // its rows are this table's columns, its one column is the artifact
  std::string artifact;
  std::vector<WordRowSpec> rows;  // none: every sentence in every layer
  std::vector<PaperWords> paper;
};

/// Of a row that has none of its own.
std::string sentence_label(int64_t sentence);

/// Whether a file of plots/tables is one of these: `kind: words`.
bool is_word_table(const std::filesystem::path& file);
/// Throws ConfigError with every problem and its place.
WordTableSpec read_word_table_spec(const std::filesystem::path& file);
/// Which trials a table of either kind is made of. Throws as reading it does.
TableSpec read_trials_of_table(const std::filesystem::path& file);
/// Every sweep file that it names.
std::vector<Word> sweeps_of_table(const std::filesystem::path& file);

struct AttendedWord {
  std::string word;
  bool known = true;  // by the model's vocabulary
  size_t place = 0;   // in the sentence
  double weight = 0;
};

/// The symbol that sequences start with.
bool is_start(const AttendedWord& token);
/// As papers name it: "[comma]", "[period]", any other as it is.
std::string name_of(const AttendedWord& word);

struct WordCell {
  std::map<int64_t, std::vector<AttendedWord>> by_seed;  // most first
  std::vector<std::string> paper;
  std::string lack;  // why there are no words: "missing", "no layer 5: there are 4"
};

struct WordRow {
  std::string label;
  int64_t sentence = 1;
  int64_t layer = 0;                 // 0: not known before a trial is done
  std::vector<AttendedWord> tokens;  // of the sentence; no weights
  size_t target = 0;                 // 0: not known yet
  bool is_first = true;              // of this sentence
};

struct WordTable {
  std::string name, title, profile, settings;
  std::vector<std::string> columns;
  std::vector<WordRow> rows;
  std::vector<std::vector<WordCell>> cells;      // [row][column]
  std::vector<std::vector<std::string>> trials;  // of each column
  std::vector<std::string> notes;
  std::map<std::string, std::vector<std::string>> to_run;  // as Table has them
  std::set<std::string> needed;
  size_t num_trials = 0, num_to_run = 0;
  std::string not_read;  // files that are gone or damaged; empty: none
  bool complete() const { return to_run.empty() && not_read.empty(); }
};

/// `grid` and `records` are of spec.models, `files` of its artifact. A file that is gone or damaged
/// costs its trial alone. Throws ConfigError when the paper's words name a column that is not there.
WordTable make_word_table(const WordTableSpec& spec, const Grid& grid, const TrialRecords& records,
                          const ArtifactFiles& files);

}  // namespace rethink
