// How weights that are saved in another form than model.safetensors become that file.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// The message that `file`, a model.safetensors, does not exist. Where its folder holds the weights
/// in several files or in those of PyTorch, TensorFlow or Flax: with two lines of Python that convert
/// them.
std::string other_form_of(const std::filesystem::path& file);

}  // namespace rethink
