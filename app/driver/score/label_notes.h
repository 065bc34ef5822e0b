// Notes on predicted labels: all equal, or classes given as numbers, perhaps in the order of
// another program.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/config/note.h"
#include "datasets/labelled/labelled.h"

namespace rethink {

// Predictions, or labels, that are all equal. A correlation with them is not defined, and the
// values of other metrics are known before any comparison.

/// Labels of one side, and the name of their file or split in messages.
struct NamedLabels {
  std::span<const double> labels;
  std::string name;
};

/// Returns notes if `predicted` or `truth` is constant, or has too few values for a correlation;
/// none if no metric of the task depends on that. Requires: as many labels as predictions, and at
/// least one.
std::vector<Note> notes_on_constants(const LabelledTask& task, const NamedLabels& predicted,
                                     const NamedLabels& truth);

// Classes that a file of predictions gives as numbers. Programs number classes differently: GLUE's
// own tables and transformers have MNLI's entailment, neutral, contradiction; fairseq and older
// scripts of BERT have contradiction first.

/// Returns notes on `predicted`, given as numbers of `task`'s classes. If the classes have other
/// names than numbers, a note says in which order they were read. Another note says that a metric
/// of the task is at chance (0 for mcc and F1) but would be clearly better in another order, or
/// that a metric is exactly at chance or 0 in every order. Choices, whose numbers count from 0, get
/// a note only at chance: how they were read, and whether numbers one lower or higher would be
/// clearly better. Requires: classes or choices, as many labels as predictions, and at least one.
std::vector<Note> notes_on_numbers(const LabelledTask& task, std::span<const double> predicted,
                                   std::span<const double> truth);

}  // namespace rethink
