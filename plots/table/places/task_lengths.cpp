// The sparsity of a mask at the mean text lengths of GLUE's tasks. Papers print the sparsity at the greatest length,
// but most texts are shorter, and masks with windows, hubs and ends are denser there. For example, a Longformer mask
// hides 88.7 % at 128 tokens, but about two thirds at the mean length of a task.
#include <array>

#include "plots/table/cells/attention_matrix.h"

namespace rethink {
namespace {

/// Mean lengths of the texts of the development sets, with special tokens, by the vocabulary of
/// bert-base-uncased, cut at 128 [tokens]. Counted once, for MNLI and QQP on 1,000 texts each.
/// Table 3 of SparseBERT has these tasks (the two sets of MNLI differ by less than one token).
constexpr std::array kMeanTokens = {
    38,  // MNLI
    31,  // QQP
    51,  // QNLI
    25,  // SST-2
    12,  // CoLA
    31,  // STS-B
    53,  // MRPC
    65,  // RTE
};

/// Zeros among the first positions [%]: the mean over the tasks that are no longer than the matrix.
std::optional<double> sparsity_at_task_lengths(const std::vector<Matrix>& heads, size_t head) {
  const Matrix& matrix = heads[head];
  double sum = 0;
  size_t tasks = 0;
  for (const int tokens : kMeanTokens) {
    const auto length = static_cast<size_t>(tokens);
    if (length > matrix.rows || length > matrix.columns) continue;
    size_t zeros = 0;
    for (size_t row = 0; row < length; ++row) {
      for (size_t column = 0; column < length; ++column)
        zeros += matrix.cells[row * matrix.columns + column] == 0 ? 1 : 0;
    }
    sum += 100 * static_cast<double>(zeros) / static_cast<double>(length * length);
    ++tasks;
  }
  return tasks == 0 ? std::nullopt : std::optional(sum / static_cast<double>(tasks));
}

RETHINK_REGISTERED = place_kinds().add<NoFields>(
    {.name = "task_lengths", .summary = "sparsity at the mean lengths of GLUE's tasks"},
    [](const NoFields&) {
      return std::make_shared<PlaceKinds>(
          PlaceKinds{{{"sparsity_at_task_lengths", sparsity_at_task_lengths}}});
    });

}  // namespace
}  // namespace rethink
