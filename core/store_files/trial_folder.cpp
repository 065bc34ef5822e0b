#include "core/store_files/trial_folder.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "core/files/store_file.h"
#include "core/format/json_shape.h"
#include "core/json.h"

namespace rethink {
namespace {

/// Attempts after `last`, found by their names: on a network disk a listing may lack what another
/// machine has just made.
std::vector<int64_t> unlisted_attempts(const std::filesystem::path& trial_folder, int64_t last) {
  const TrialFolder folder(trial_folder);
  std::vector<int64_t> numbers;
  std::error_code unknown;
  while (last < std::numeric_limits<int64_t>::max() &&
         std::filesystem::exists(folder.attempt(last + 1), unknown))
    numbers.push_back(++last);
  return numbers;
}

}  // namespace

std::filesystem::path trials_folder(const std::filesystem::path& store) {
  return store / kTrialsFolder;
}

std::filesystem::path trial_folder(const std::filesystem::path& store, const std::string& trial) {
  return trials_folder(store) / trial;
}

std::filesystem::path TrialFolder::attempt(int64_t number) const {
  return path_ / (std::string(kAttemptPrefix) + std::to_string(number));
}

std::vector<int64_t> TrialFolder::attempts() const {
  std::vector<int64_t> numbers;
  std::error_code ignored;  // a missing folder has no attempts
  for (const auto& entry : std::filesystem::directory_iterator(path_, ignored)) {
    if (const auto number = number_in_name(entry.path().filename().native(), kAttemptPrefix))
      numbers.push_back(*number);
  }
  std::ranges::sort(numbers);
  const std::vector<int64_t> more = unlisted_attempts(path_, numbers.empty() ? 0 : numbers.back());
  numbers.insert(numbers.end(), more.begin(), more.end());
  return numbers;
}

std::map<int64_t, std::filesystem::path> attempt_folders(
    const std::filesystem::path& trial_folder) {
  std::map<int64_t, std::filesystem::path> folders;
  if (!store_folder_problem(trial_folder).empty()) return folders;
  for (const auto& entry : entries_of(trial_folder)) {
    const auto number = number_in_name(entry.path().filename().native(), kAttemptPrefix);
    if (number) folders[*number] = entry.path();
  }
  for (const int64_t number :
       unlisted_attempts(trial_folder, folders.empty() ? 0 : folders.rbegin()->first))
    folders[number] = TrialFolder(trial_folder).attempt(number);
  return folders;
}

std::map<int64_t, std::filesystem::path> event_files(const std::filesystem::path& trial_folder) {
  std::map<int64_t, std::filesystem::path> files;
  for (const auto& [number, folder] : attempt_folders(trial_folder))
    files[number] = folder / kEventsFile;
  return files;
}

std::optional<int64_t> number_in_name(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  const std::string_view digits = name.substr(prefix.size());
  int64_t number = 0;
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || digits != std::to_string(number))
    return std::nullopt;
  return number;
}

std::string not_of_this_trial(const Json& object, const std::filesystem::path& trial_folder) {
  const auto trial = object.find("trial");
  if (trial == object.end()) return "";
  const bool fits =
      trial->is_string() && trial_folder.filename().native().ends_with(trial->get<std::string>());
  return fits ? "" : not_expected(*trial, "the trial of its folder");
}

std::string not_of_this_attempt(const Json& object, const std::filesystem::path& attempt_folder) {
  const auto number = number_in_name(attempt_folder.filename().native(), kAttemptPrefix);
  if (!number) return "";
  const auto attempt = object.find("attempt");
  if (attempt != object.end() && *attempt != *number)
    return not_expected(*attempt, "the attempt of its folder");
  return not_of_this_trial(object, attempt_folder.parent_path());
}

}  // namespace rethink
