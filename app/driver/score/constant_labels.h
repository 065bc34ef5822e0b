// Predictions, or labels, that are all equal: a correlation with them is not defined, and what other
// metrics say of them is known before anything is compared.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "datasets/labelled/labelled.h"

namespace rethink {

/// Labels of one side, and the file or split that messages name.
struct NamedLabels {
  std::span<const double> labels;
  std::string name;
};

/// What to say where `predicted` or `truth` is constant, or has too few values for a correlation;
/// nothing where no metric of the task depends on that. Requires: as many labels as predictions, and
/// at least one.
std::vector<std::string> notes_on_constants(const LabelledTask& task, const NamedLabels& predicted,
                                            const NamedLabels& truth);

}  // namespace rethink
