// Predictions of labelled examples in files: what people score, and what GLUE's server takes.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "datasets/labelled/labelled.h"

namespace rethink {

struct Predictions {
  std::vector<double> labels;  // as LabelledExample::label counts
  bool has_numbers = false;    // of a choice, or of a class where the class has a name too
};

/// One prediction for each of `examples`, in their order. The file has a prediction a line, maybe
/// below a header ("prediction", "label"), or, below "index<tab>prediction" or "id,label", the index
/// of an example before each; where those of the file are just 0, 1, 2, ... and not all of them an
/// example's, they count the examples. A class is its name, its number, or what Hugging Face's
/// datasets call it, in any case; a choice is its number, or ending0, as SWAG's columns are called.
/// Throws ConfigError with the place of up to 20 flaws: no class or number, an
/// unknown index, one that stands twice, too few or too many lines, another header; and when the file
/// is empty.
Predictions read_predictions(const std::filesystem::path& file,
                             std::span<const LabelledExample> examples, const LabelledTask& task);

/// Whether a file begins as predictions do, and not as a table of examples.
bool holds_predictions(const std::filesystem::path& file, const LabelledTask& task);

/// A file that read_predictions reads, "index<tab>prediction": classes by their names, choices by
/// their numbers, scores with all their digits. Requires: as many predictions as examples.
std::string prediction_text(std::span<const LabelledExample> examples,
                            std::span<const double> predictions, const LabelledTask& task);

/// Returns the predictions in the form of GLUE's server for one table: scores within 0 ... 5, with
/// three digits.
std::string submission_text(std::span<const LabelledExample> examples,
                            std::span<const double> predictions, const LabelledTask& task);

}  // namespace rethink
