// Tables whose cells are words: which tokens of a sentence the models of trials attended to, the
// paper's words beside ours (docs/tables.md, "A table of words").
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plots/table/grid.h"
#include "plots/table/records.h"
#include "plots/table/word_table_spec.h"

namespace rethink {

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
  std::string not_read;    // files that are gone or damaged; empty: none
  std::string needs_data;  // of which trials nothing tells the ids; empty: of none
  bool complete() const { return to_run.empty() && not_read.empty() && needs_data.empty(); }
};

/// `grid` and `records` are of spec.models, `files` of its artifact. A file that is gone or damaged
/// costs its trial alone. Throws ConfigError when the paper's words name a column that is not there.
WordTable make_word_table(const WordTableSpec& spec, const Grid& grid, const TrialRecords& records,
                          const ArtifactFiles& files);

}  // namespace rethink
