// Names of weights without what programs put before or within them: DataParallel ("module."),
// torch.compile ("_orig_mod."), DeepSpeed and Lightning ("_forward_module."), FSDP
// ("_fsdp_wrapped_module."), activation checkpointing ("_checkpoint_wrapped_module.") and modules
// around the model ("model.").
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/huggingface_family.h"

namespace rethink {

/// What was left out of the names of a file's weights.
struct LeftOut {
  std::string before;       // every name: "module."
  std::string within;       // some names, the first kind: "_fsdp_wrapped_module."
  size_t names_within = 0;  // how many names hold one, of any kind
};

struct BareNames {
  std::map<std::string, std::string> bare;  // by the name in the file
  LeftOut left_out;
};

/// Leaves out what stands before every name, and what wraps modules within names.
BareNames bare_names(const std::vector<std::string>& names);

/// Says which names differ from the others, and how to rename them, where a wrapper or the family's
/// prefix stands before some weights of the encoder or a head only; "" where none does. `bare`: names
/// of bare_names. A tensor that is no weight of the family may be named as it likes.
std::string trouble_with_mixed_names(const std::vector<std::string>& bare,
                                     const HuggingFaceFamily& family);

}  // namespace rethink
