// Slips in CUDA_VISIBLE_DEVICES.
#pragma once

#include <string>

namespace rethink {

/// The list of indices or UUIDs that `visible` was probably meant to be, with commas between them:
/// "0,1" for "0 1", "0;1", "'0','1'", "[0, 1]", "cuda:0,cuda:1" and "0-1". "" where it is such a list
/// already, or cannot be one.
std::string meant_devices(const std::string& visible);

/// What a word means that other programs take there: "unset it for all GPUs" for "all"; "" for any
/// other.
std::string advice_on_device_word(const std::string& visible);

}  // namespace rethink
