// What a trial's artifact of kind "predictions" says of each item of a split: safetensors with
// SPLIT/nll f64 [N] and SPLIT/tokens i64 [N], at the reported step.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

struct ItemLosses {
  std::vector<double> nll;      // negative log-likelihood of an item [nats]
  std::vector<int64_t> tokens;  // tokens that were predicted in it
};

/// Throws MachineError when the file cannot be read and ConfigError when it is damaged, lacks the
/// split, or has tensors of another type or length.
ItemLosses read_item_losses(const std::filesystem::path& file, const std::string& split);

}  // namespace rethink
