// The purpose of a YAML file: its `description`, title, or the first sentence of its comment.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// Returns `description:` as one line; "" if it is missing, or if the file cannot be read.
std::string given_description(const std::filesystem::path& file);

/// Returns the same; without `description:` the `title:`, else the first sentence of the file's first comment.
std::string description_of(const std::filesystem::path& file);

}  // namespace rethink
