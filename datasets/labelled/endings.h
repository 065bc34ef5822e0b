// Questions of SWAG's form (which of four endings continues a sentence): the task, its inputs, and its CSV table.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "datasets/labelled/labelled.h"

namespace rethink {

/// Facts of a choice of one among four, measured by accuracy.
LabelledTask four_endings();

/// The four inputs of an example: `context`, and `opening` with each ending behind it.
std::vector<LabelledInput> inputs_of_endings(const std::string& context, const std::string& opening,
                                             const std::vector<std::string>& endings);

/// Returns the examples of a SWAG table (CSV: sent1, sent2, ending0 ... ending3, and label if
/// published). Throws ConfigError with the positions of up to 20 flaws.
std::vector<LabelledExample> read_swag(const std::filesystem::path& file);

}  // namespace rethink
