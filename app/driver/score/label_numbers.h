// Classes that a file of predictions gives as numbers: which number is which class differs between
// programs. GLUE's own tables and transformers have MNLI's entailment, neutral, contradiction;
// fairseq and older scripts of BERT have contradiction first.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "datasets/labelled/labelled.h"

namespace rethink {

/// What to say of `predicted`, which were numbers of `task`'s classes: the order that they were
/// taken in, where the classes are not called by these numbers, and another order where one of the
/// task's metrics is no more than chance (0 for mcc and F1) but would be clearly better in that
/// order; or that a metric is exactly chance or 0 in every order. Of choices, which numbers count from 0, only
/// where they are no more than chance: what they were taken as, and whether each number one lower or higher
/// would be clearly better. Requires: classes or choices, as many labels as predictions, and at least one.
std::vector<std::string> notes_on_numbers(const LabelledTask& task,
                                          std::span<const double> predicted,
                                          std::span<const double> truth);

}  // namespace rethink
