// Messages that say how to convert weights of other formats to model.safetensors.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// Returns the message that `file`, a model.safetensors, does not exist. If the folder has the
/// weights in several files, or in the format of PyTorch, TensorFlow, Flax or Google's BERT, the
/// message has two lines of Python that convert them.
std::string other_form_of(const std::filesystem::path& file);

/// Returns how to convert a folder's bert_config.json to the missing config.json, and its weights
/// to model.safetensors; "" without a bert_config.json.
std::string config_of_google(const std::filesystem::path& folder);

}  // namespace rethink
