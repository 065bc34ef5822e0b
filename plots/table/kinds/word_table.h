// Tables whose cells are words: which tokens of a sentence the models of trials attended to, the
// paper's words beside ours (docs/tables.md, "A table of words").
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plots/table/kinds/word_table_spec.h"
#include "plots/table/lines/grid.h"
#include "plots/table/lines/wanted_values.h"
#include "plots/table/table_kind.h"

namespace rethink {

struct AttendedWord {
  std::string word;
  bool known = true;  // by the model's vocabulary
  size_t place = 0;   // in the sentence
  double weight = 0;
};

/// The symbol that sequences start with.
bool is_start(const AttendedWord& token);
/// Returns a token's name in papers: "[comma]", "[period]", any other token unchanged.
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

struct WordTable : TrialsOfKind {
  std::string name, title, profile, settings;
  std::vector<std::string> columns;
  std::vector<WordRow> rows;
  std::vector<std::vector<WordCell>> cells;      // [row][column]
  std::vector<std::vector<std::string>> trials;  // of each column
  std::vector<std::string> notes;
};

/// `grid` and `records` are of spec.models, `files` of its artifact. A file that is gone or damaged
/// costs its trial alone. Throws ConfigError when the paper's words name a column that is not there.
WordTable make_word_table(const WordTableSpec& spec, const Grid& grid, const TrialRecords& records,
                          const ArtifactFiles& files);

}  // namespace rethink
