// Reads a program's predictions for each item of a split from a CSV table, so that tests over items
// (paired_bootstrap) work for its trials too:
//
//   split,predicted,expected        labels of examples, as numbers
//   test,1,0
//
// or split,nll,tokens (negative log-likelihood in nats and predicted tokens of a sentence), or split,exact,f1 (scores
// of a question's answer). The rows of a split are its items, in the same order in every trial.
#pragma once

#include <filesystem>

namespace rethink {

/// Writes the table as the artifact of kind "predictions" (results/records/item_outcomes.h). Not durable. Throws
/// ConfigError, with the line, for another header or a value that is not a number, and MachineError.
void write_predictions(const std::filesystem::path& table, const std::filesystem::path& target);

}  // namespace rethink
