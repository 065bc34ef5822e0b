// Recognizes weights of an adapter (LoRA and others of PEFT) that are not merged into the model that
// they change.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

/// Throws ConfigError, with two lines of Python that merge them, where `folder` holds an adapter as
/// PEFT saves it (adapter_config.json, adapter_model.safetensors) and no model.safetensors.
void refuse_adapter_weights(const std::filesystem::path& folder);

/// What `names` of tensors say about an adapter in a file of weights, with two lines of Python that
/// merge it: "holds an unmerged adapter ..."; "" where they say nothing.
std::string trouble_with_adapter_names(const std::vector<std::string>& names);

}  // namespace rethink
