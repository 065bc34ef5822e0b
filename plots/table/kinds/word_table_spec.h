// The spec of a table of words (docs/tables.md, "A table of words").
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plots/spec_reader.h"
#include "plots/table/table_spec.h"

namespace rethink {

struct WordRowSpec {
  std::string label;
  int64_t sentence = 1;          // of the artifact, from 1
  std::optional<int64_t> layer;  // from 1; none: a row for each layer
  std::string until;  // words up to the target, to which the paper's words belong; empty: anything
};

struct PaperWords {
  Word row, column;
  std::vector<std::string> words;
};

struct WordTableSpec {
  TableSpec models;  // its rows are this table's columns; its one column is the artifact
  std::string artifact;
  std::vector<WordRowSpec> rows;  // empty: every sentence in every layer
  std::vector<PaperWords> paper;
};

/// Returns the default label of a row.
std::string sentence_label(int64_t sentence);

/// Reads the spec, and adds every problem with its position.
WordTableSpec read_word_table_spec(const Yaml& document, const std::filesystem::path& file,
                                   Problems& problems);

}  // namespace rethink
