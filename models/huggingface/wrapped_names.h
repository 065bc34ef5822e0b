// Names of weights without what programs put before or within them: DataParallel ("module."),
// torch.compile ("_orig_mod."), DeepSpeed and Lightning ("_forward_module."), FSDP
// ("_fsdp_wrapped_module."), activation checkpointing ("_checkpoint_wrapped_module.") and modules
// around the model ("model.", and any name that one encoder's weights share, such as "backbone.").
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/huggingface/family.h"

namespace rethink {

/// What was left out of the names of a file's weights.
struct LeftOut {
  std::string before;                // every weight's name: "module."
  std::vector<std::string> outside;  // names without it, such as AveragedModel's "n_averaged"
  std::string within;                // some names, the first kind: "_fsdp_wrapped_module."
  size_t names_within = 0;           // how many names hold one, of any kind
};

struct BareNames {
  std::map<std::string, std::string> bare;  // by the name in the file
  LeftOut left_out;
  std::string trouble;  // why it is not known which names are meant, and what to do; "" if it is
};

/// Leaves out what stands before the names of all weights of the family, and what wraps modules within
/// names. A beginning that is no known wrapper is left out where one encoder's names have it; two
/// encoders under two such beginnings are trouble. Other names stay as they are.
BareNames bare_names(const std::vector<std::string>& names, const HuggingFaceFamily& family);

/// The longest beginning up to a '.' that all names share; "" where there is none.
std::string common_beginning(const std::vector<std::string>& names);

/// Says which names differ from the others, and how to rename them, where a wrapper or the family's
/// prefix stands before some weights of the encoder or a head only; "" where none does. `bare`: names
/// of bare_names. A tensor that is no weight of the family may be named as it likes.
std::string trouble_with_mixed_names(const std::vector<std::string>& bare,
                                     const HuggingFaceFamily& family);

}  // namespace rethink
