// Labelled examples from a table: which columns are text, which one the label. What the tables of
// GLUE have in common; what is special about one stands in its file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/json_fwd.h"
#include "datasets/labelled/labelled.h"

namespace rethink {

/// Names of columns as the table's first row has them.
struct TableColumns {
  std::vector<std::string> texts;  // the sentence, or the two of a pair
  std::string label;
  std::string index;  // "" or not there: rows are numbered from 0
  std::vector<std::string>
      without_header{};           // the columns of files whose first row is data already
  bool skips_short_rows = false;  // as official readers do where published rows lack columns
};

/// Examples of a tab-separated table; without labels where it has no such column. Throws
/// ConfigError with the place of up to 20 flaws: a row with too few or too many columns, a label
/// that the task does not have, a score that is not a number, a missing column.
std::vector<LabelledExample> read_labelled_table(const std::filesystem::path& file,
                                                 const TableColumns& columns,
                                                 const LabelledTask& task);

/// The label that `text` names: its class, or the score it is. None: it is neither.
std::optional<double> label_of(std::string_view text, const LabelledTask& task);

Json to_json(const TableColumns& columns);
TableColumns table_columns(const Json& json);

}  // namespace rethink
