// The attempts of a trial, by the names of their folders.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>

namespace rethink {

/// (1, "trials/<id>/attempt-1"), ... in order. None where the trial's folder is a link or no folder.
std::map<int64_t, std::filesystem::path> attempt_folders(const std::filesystem::path& trial_folder);

}  // namespace rethink
