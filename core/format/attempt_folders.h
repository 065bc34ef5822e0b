// The attempts of a trial, by the names of their folders.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/json_fwd.h"

namespace rethink {

constexpr std::string_view kAttemptPrefix = "attempt-";

/// 7 of "attempt-7" with the prefix "attempt-"; nothing for any other name, such as "attempt-07", which no
/// reader would find by its number.
std::optional<int64_t> number_in_name(std::string_view name, std::string_view prefix);

/// What is wrong with the members "trial" and "attempt" of an object that is stored in an attempt's folder
/// trials/<id>/attempt-<n>: "got ..., expected the trial of its folder"; empty where they fit, and where it has
/// none of them, as of older versions.
std::string not_of_this_attempt(const Json& object, const std::filesystem::path& attempt_folder);
/// The same of its member "trial" and a trial's folder, whose name ends with the id, also while `db merge` copies
/// it.
std::string not_of_this_trial(const Json& object, const std::filesystem::path& trial_folder);

/// (1, "trials/<id>/attempt-1"), ... in order. None where the trial's folder is a link or no folder.
std::map<int64_t, std::filesystem::path> attempt_folders(const std::filesystem::path& trial_folder);

}  // namespace rethink
