// Tables of words: the tokens of a sentence to which trials' models attended, with the paper's
// words beside ours (docs/tables.md, "A table of words").
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
  bool known = true;  // in the model's vocabulary
  size_t place = 0;   // position in the sentence
  double weight = 0;
};

/// Returns whether the token is the start symbol of sequences.
bool is_start(const AttendedWord& token);
/// Returns a token's name in papers: "[comma]", "[period]", any other token unchanged.
std::string name_of(const AttendedWord& word);

struct WordCell {
  std::map<int64_t, std::vector<AttendedWord>> by_seed;  // by seed, most attended first
  std::vector<std::string> paper;
  std::string lack;  // reason for missing words: "missing", "no layer 5: there are 4"
};

struct WordRow {
  std::string label;
  int64_t sentence = 1;
  int64_t layer = 0;                 // 0: unknown before a trial is done
  std::vector<AttendedWord> tokens;  // of the sentence, without weights
  size_t target = 0;                 // 0: unknown
  bool is_first = true;              // first row of its sentence
};

struct WordTable : TrialsOfKind {
  std::string name, title, profile, settings;
  std::vector<std::string> columns;
  std::vector<WordRow> rows;
  std::vector<std::vector<WordCell>> cells;      // [row][column]
  std::vector<std::vector<std::string>> trials;  // of each column
  std::vector<SheetNote> notes;
};

/// Returns the table. `grid` and `records` belong to spec.models, `files` to its artifact. A missing or damaged file
/// only leaves out its trial. Throws ConfigError if the paper's words name a missing column.
WordTable make_word_table(const WordTableSpec& spec, const Grid& grid, const TrialRecords& records,
                          const ArtifactFiles& files);

}  // namespace rethink
