// How weights that are saved in another form than model.safetensors become that file.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// The message that `file`, a model.safetensors, does not exist. Where its folder holds the weights
/// in several files or in those of PyTorch, TensorFlow, Flax or Google's BERT: with two lines of
/// Python that convert them.
std::string other_form_of(const std::filesystem::path& file);

/// How the bert_config.json of a folder becomes the config.json that it lacks, and the weights beside
/// it model.safetensors; "" without a bert_config.json.
std::string config_of_google(const std::filesystem::path& folder);

}  // namespace rethink
