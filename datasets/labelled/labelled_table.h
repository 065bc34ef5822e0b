// Reader of labelled examples from a table with columns for texts and the label, for all tables of
// GLUE. Special rules of a task are in the task's file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/facts/dataset_facts.h"
#include "datasets/labelled/labelled.h"

namespace rethink {

/// Returns the examples of a tab-separated table, without labels if it lacks their column. Throws
/// ConfigError with the positions of up to 20 flaws: a row with too few or too many columns, a
/// label that the task lacks, a score that is not a number, a missing column.
std::vector<LabelledExample> read_labelled_table(const std::filesystem::path& file,
                                                 const TableColumns& columns,
                                                 const LabelledTask& task);

/// Returns the label that `text` means, a class or a score; nothing if it is neither.
std::optional<double> label_of(std::string_view text, const LabelledTask& task);

}  // namespace rethink
