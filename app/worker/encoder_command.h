// What the commands on an encoder's folder share.
#pragma once

#include <functional>

#include "models/huggingface/weights.h"

namespace rethink {

/// Writes the notes on a folder's tokenizer and weights to standard error, one a line.
void print_notes(const std::vector<std::string>& tokenizer, const LoadedWeights& loaded);

/// Returns what `run` returns. Throws MachineError in the place of LibTorch's error, which quotes a
/// stack, when memory runs out.
int with_memory_errors(const std::function<int()>& run);

}  // namespace rethink
