// Predictions of labelled examples in files, for `rethink score` and for GLUE's server.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "datasets/labelled/labelled.h"

namespace rethink {

struct Predictions {
  std::vector<double> labels;  // as LabelledExample::label counts
  bool has_numbers = false;    // choices are numbers, or named classes are given as numbers
};

/// Returns one prediction for each of `examples`, in their order. The file has one prediction per
/// line, perhaps below a header ("prediction" or "label"). Below a header "index<tab>prediction" or
/// "id,label" each line begins with the index of an example. If the indices are 0, 1, 2, ... and
/// some of them are unknown, they are taken as positions of the examples. A class is its name, its number, or its
/// name in Hugging Face's datasets, in any case. A choice is its number, or ending0, as in SWAG's
/// columns. Throws ConfigError with the positions of up to 20 flaws: no class or number, an unknown
/// index, an index that appears twice, too few or too many lines, another header, an empty file.
Predictions read_predictions(const std::filesystem::path& file,
                             std::span<const LabelledExample> examples, const LabelledTask& task);

/// Returns whether a file begins like a file of predictions, and not like a table of examples.
bool holds_predictions(const std::filesystem::path& file, const LabelledTask& task);

/// Returns the text of a file that read_predictions reads, "index<tab>prediction": classes by name,
/// choices by number, scores with all digits. Requires: as many predictions as examples.
std::string prediction_text(std::span<const LabelledExample> examples,
                            std::span<const double> predictions, const LabelledTask& task);

/// Returns the predictions in the form of GLUE's server for one table: scores within 0 ... 5, with
/// three digits.
std::string submission_text(std::span<const LabelledExample> examples,
                            std::span<const double> predictions, const LabelledTask& task);

}  // namespace rethink
