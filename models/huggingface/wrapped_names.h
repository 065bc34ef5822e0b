// Removal of the parts that wrappers add to names of weights: DataParallel ("module."),
// torch.compile ("_orig_mod."), DeepSpeed and Lightning ("_forward_module."), FSDP
// ("_fsdp_wrapped_module."), activation checkpointing ("_checkpoint_wrapped_module.") and outer
// modules ("model.", and any prefix that all weights of one encoder share, such as "backbone.").
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/huggingface/family.h"

namespace rethink {

/// Parts that were removed from the names of a file's weights.
struct LeftOut {
  std::string before;  // prefix of every weight's name: "module."
  std::vector<std::string>
      outside;              // names without the prefix, such as AveragedModel's "n_averaged"
  std::string within;       // first part found inside names: "_fsdp_wrapped_module."
  size_t names_within = 0;  // number of names with such a part
};

struct BareNames {
  std::map<std::string, std::string> bare;  // bare name by the name in the file
  LeftOut left_out;
  std::string trouble;  // why the names are ambiguous, and what to do; "" if they are not
};

/// Returns the names without the common prefix of the family's weights and without wrappers inside
/// names. An unknown prefix is removed if one encoder's names have it; two encoders with two such
/// prefixes are ambiguous. Other names stay.
BareNames bare_names(const std::vector<std::string>& names, const HuggingFaceFamily& family);

/// Returns the longest prefix, up to a '.', that all names share; "" if there is none.
std::string common_beginning(const std::vector<std::string>& names);

/// Returns a message if only some weights of the encoder or of a head have a wrapper or the
/// family's prefix; "" otherwise. The message lists the differing names and says how to rename
/// them. `bare` has names from bare_names. Tensors that are not weights of the family may have any
/// names.
std::string trouble_with_mixed_names(const std::vector<std::string>& bare,
                                     const HuggingFaceFamily& family);

}  // namespace rethink
