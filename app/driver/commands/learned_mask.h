// Masks that trials left, for `rethink mask`.
#pragma once

#include <optional>
#include <string>

#include "app/driver/command.h"
#include "models/masks/mask.h"

namespace rethink {

struct LearnedMask {
  Mask mask;
  std::string name;   // of files made of it: the trial's id, or the file's stem
  std::string title;  // "trial 0a1b2c...", or the file's name
};

/// The artifact of kind "mask" of a trial, by its id or the beginning of it, or of a file. Nothing
/// when `word` is the name of a pattern, or neither a file nor anything like an id. Throws
/// ConfigError where the trial left none, or where what it left is gone or damaged, and as
/// read_mask.
std::optional<LearnedMask> find_learned_mask(const CommandContext& context,
                                             const std::string& word);

}  // namespace rethink
