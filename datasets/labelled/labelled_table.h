// Labelled examples from a table: which columns are text, which one the label. What the tables of
// GLUE have in common; what is special about one stands in its file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/facts/dataset_facts.h"
#include "datasets/labelled/labelled.h"

namespace rethink {

/// Examples of a tab-separated table; without labels where it has no such column. Throws
/// ConfigError with the place of up to 20 flaws: a row with too few or too many columns, a label
/// that the task does not have, a score that is not a number, a missing column.
std::vector<LabelledExample> read_labelled_table(const std::filesystem::path& file,
                                                 const TableColumns& columns,
                                                 const LabelledTask& task);

/// The label that `text` names: its class, or the score it is. None: it is neither.
std::optional<double> label_of(std::string_view text, const LabelledTask& task);

}  // namespace rethink
