#include "plots/table/kinds/word_table_spec.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/yaml/yaml.h"
#include "plots/table/lines/grid.h"

namespace rethink {
namespace {

WordRowSpec read_row(const Yaml& given, Problems& problems) {
  SpecReader reader(given, "row of words", problems);
  WordRowSpec row;
  row.label = reader.text("label");
  reader.require("sentence");
  row.sentence = reader.integer("sentence", 1).value_or(row.sentence);
  row.layer = reader.integer("layer", 1);
  row.until = reader.text("until");
  reader.finish();
  if (row.label.empty()) {
    row.label = sentence_label(row.sentence);
    if (row.layer) row.label += fmt::format(", layer {}", *row.layer);
  }
  return row;
}

std::vector<std::string> read_words(const Yaml& given, Problems& problems) {
  std::vector<std::string> words;
  for (const Yaml& item : given.items) {
    if (item.is_scalar()) words.push_back(item.scalar);
  }
  if (words.empty() || words.size() != given.items.size())
    problems.add(given.where, "invalid-value",
                 "paper: expected a list of words, such as [led, increasing]");
  return words;
}

/// Reads `paper: {ROW: {COLUMN: [word, ...]}}`. The sweep determines the columns.
std::vector<PaperWords> read_paper_words(const Yaml* given, const std::vector<WordRowSpec>& rows,
                                         Problems& problems) {
  std::vector<PaperWords> all;
  if (!given) return all;
  const std::vector<std::string> labels = line_labels(rows);
  const auto require_map = [&](const Yaml& map) {
    if (!map.is_map())
      problems.add(map.where, "invalid-value", "paper: expected {ROW: {COLUMN: [word, ...]}}");
  };
  require_map(*given);
  for (const Yaml::Entry& row : given->entries) {
    require_map(row.value);
    const auto alike = std::ranges::count(labels, row.key);
    if (alike > 1) {
      problems.add(row.where, "ambiguous-name",
                   fmt::format("paper: the table has {} rows '{}'; give each a label of "
                               "its own",
                               alike, row.key));
    } else if (alike == 0) {
      problems.add(row.where, "unknown-row",
                   fmt::format("paper: the table has no row '{}'{}; it has: {}", row.key,
                               did_you_mean(row.key, labels), joined(labels)));
    }
    for (const Yaml::Entry& column : row.value.entries) {
      all.push_back({word_of_key(row), word_of_key(column), read_words(column.value, problems)});
    }
  }
  return all;
}

}  // namespace

std::string sentence_label(int64_t sentence) {
  return fmt::format("sentence {}", sentence);
}

WordTableSpec read_word_table_spec(const Yaml& document, const std::filesystem::path& file,
                                   Problems& problems) {
  SpecReader reader(document, "table of words", problems);
  WordTableSpec spec;
  TableSpec& models = spec.models;
  models.file = file;
  models.name = reader.name_of_spec("table");
  reader.take("kind");
  models.title = reader.text("title");
  read_trials(reader, models);
  models.wanted_seeds = 1;
  models.words = {"table", "column", "artifact", "columns"};
  spec.artifact = reader.text("artifact");
  for (const Yaml* row : reader.maps("rows", "[{sentence: 1}]"))
    spec.rows.push_back(read_row(*row, problems));
  for (const Yaml* column : reader.maps("columns", "[{axis: arm}]"))
    models.rows.push_back(read_plain_line(*column, "column of words", problems));
  models.columns = {artifact_column(spec.artifact, reader.where())};
  spec.paper = read_paper_words(reader.take("paper"), spec.rows, problems);
  models.notes = read_notes(reader, {}, problems);
  for (const char* key : {"sweep", "stage", "artifact", "columns"}) reader.require(key);
  reader.finish();
  return spec;
}

}  // namespace rethink
