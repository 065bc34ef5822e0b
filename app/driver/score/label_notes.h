// Notes on predicted labels: all equal ones, and classes given as numbers in an order that may be
// another program's.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/config/note.h"
#include "datasets/labelled/labelled.h"

namespace rethink {

// Predictions, or labels, that are all equal: a correlation with them is not defined, and what other
// metrics say of them is known before anything is compared.

/// Labels of one side, and the name of their file or split in messages.
struct NamedLabels {
  std::span<const double> labels;
  std::string name;
};

/// What to say where `predicted` or `truth` is constant, or has too few values for a correlation;
/// nothing where no metric of the task depends on that. Requires: as many labels as predictions, and
/// at least one.
std::vector<Note> notes_on_constants(const LabelledTask& task, const NamedLabels& predicted,
                                     const NamedLabels& truth);

// Classes that a file of predictions gives as numbers: which number is which class differs between
// programs. GLUE's own tables and transformers have MNLI's entailment, neutral, contradiction;
// fairseq and older scripts of BERT have contradiction first.

/// What to say of `predicted`, which were numbers of `task`'s classes: the order that they were
/// taken in, where the classes are not called by these numbers, and another order where one of the
/// task's metrics is no more than chance (0 for mcc and F1) but would be clearly better in that
/// order; or that a metric is exactly chance or 0 in every order. Of choices, which numbers count from 0, only
/// where they are no more than chance: what they were taken as, and whether each number one lower or higher
/// would be clearly better. Requires: classes or choices, as many labels as predictions, and at least one.
std::vector<Note> notes_on_numbers(const LabelledTask& task, std::span<const double> predicted,
                                   std::span<const double> truth);

}  // namespace rethink
