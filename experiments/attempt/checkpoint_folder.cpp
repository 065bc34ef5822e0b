#include "experiments/attempt/checkpoint_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <string>
#include <vector>

#include "core/files/file.h"
#include "core/files/hash.h"
#include "core/json.h"
#include "core/store_files/trial_folder.h"
#include "core/system/kill_point.h"
#include "experiments/attempt/event_log.h"
#include "experiments/attempt/trial_files.h"

namespace rethink {
namespace {

constexpr const char* kCheckpointPrefix = "checkpoint-";
constexpr const char* kAttemptKey = "event_attempt";
constexpr const char* kOffsetKey = "event_offset";
constexpr const char* kStepKey = "step";
constexpr const char* kTrialKey = "trial";
constexpr const char* kChecksumKey = "description_crc32c";

template <typename Number>
bool take_number(const TensorMetadata& metadata, const char* key, Number& number) {
  const auto text = metadata.find(key);
  if (text == metadata.end()) return false;
  const char* end = text->second.data() + text->second.size();
  const auto read = std::from_chars(text->second.data(), end, number);
  return read.ec == std::errc() && read.ptr == end;
}

std::string description_checksum(TensorMetadata metadata, const TensorViews& tensors) {
  metadata.erase(kChecksumKey);
  Json described{{"metadata", metadata}, {"tensors", Json::object()}};
  for (const auto& [name, view] : tensors)
    described["tensors"][name] = {{"dtype", to_text(view.dtype)}, {"shape", view.shape}};
  return fmt::format("{:08x}", crc32c(canonical_json(described)));
}

constexpr const char* kIsDamaged = "is damaged";

struct Description {
  std::string damage;               // "is damaged", "is that of trial ..."; empty: none
  std::optional<EventPlace> place;  // missing in checkpoints of older versions
};

/// Version 0.1.0 wrote no checksum of the description. It had exactly these members, so any other
/// member is a damaged name.
bool has_sound_description(const SafetensorsFile& file, int64_t step) {
  const TensorMetadata& metadata = file.metadata();
  if (const auto checksum = metadata.find(kChecksumKey); checksum != metadata.end()) {
    int64_t described = 0;
    return checksum->second == description_checksum(metadata, file.tensors()) &&
           take_number(metadata, kStepKey, described) && described == step;
  }
  return std::ranges::all_of(metadata, [](const auto& member) {
    static const std::set<std::string> kKnown = {"values", "crc32c", kAttemptKey, kOffsetKey};
    return kKnown.contains(member.first);
  });
}

/// `trial`: the expected owner of the checkpoint. Older versions did not record the owner.
Description description_of(const Checkpoint& checkpoint, const std::string& trial) {
  const SafetensorsFile file(checkpoint.path);
  Description description;
  if (!has_sound_description(file, checkpoint.step)) {
    description.damage = kIsDamaged;
  } else if (const auto named = file.metadata().find(kTrialKey);
             named != file.metadata().end() && named->second != trial) {
    description.damage = "is that of trial " + named->second;
  }
  EventPlace place;
  if (take_number(file.metadata(), kAttemptKey, place.attempt) &&
      take_number(file.metadata(), kOffsetKey, place.offset))
    description.place = place;
  return description;
}

}  // namespace

TensorMetadata with_description_checksum(TensorMetadata metadata, const TensorViews& tensors) {
  metadata[kChecksumKey] = description_checksum(metadata, tensors);
  return metadata;
}

std::vector<Checkpoint> checkpoints_in(const std::filesystem::path& folder) {
  std::vector<Checkpoint> found;
  std::error_code ignored;  // without the folder there is no checkpoint yet
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (const auto step = number_in_name(entry.path().filename().native(), kCheckpointPrefix))
      found.push_back({*step, entry.path()});
  }
  std::ranges::sort(found, std::ranges::greater(), &Checkpoint::step);
  return found;
}

std::optional<int64_t> step_at_stop(const Json& config, const std::filesystem::path& folder) {
  const auto stop_at = config.find("stop_at");
  if (stop_at == config.end() || !stop_at->is_number_integer()) return std::nullopt;
  const std::vector<Checkpoint> found = checkpoints_in(folder);
  if (found.empty() || found.front().step < stop_at->get<int64_t>()) return std::nullopt;
  return found.front().step;
}

CheckpointFolder::CheckpointFolder(std::filesystem::path folder, EventLog& events)
    : folder_(std::move(folder)), events_(events) {}

std::string CheckpointFolder::trial_of_folder() const {
  return folder_.parent_path().filename().string();
}

bool CheckpointFolder::has_all_its_events(const std::optional<EventPlace>& place) const {
  return events_are_whole(event_files(folder_.parent_path()), place);
}

std::optional<Checkpoint> CheckpointFolder::newest(
    const std::function<bool(const std::filesystem::path&)>& valid) const {
  std::optional<Checkpoint> found;
  std::optional<EventPlace> place;
  std::vector<std::string> passed_over;  // "the checkpoint of step 5 is damaged"
  Json damaged_steps = Json::array();
  for (const Checkpoint& checkpoint : checkpoints_in(folder_)) {
    Description description{.damage = kIsDamaged, .place = {}};
    if (valid(checkpoint.path)) description = description_of(checkpoint, trial_of_folder());
    place = description.place;
    const bool is_valid = description.damage.empty();
    if (is_valid && has_all_its_events(place)) {
      found = checkpoint;
      break;
    }
    damaged_steps.push_back(checkpoint.step);
    passed_over.push_back(
        is_valid
            ? fmt::format("the events before the checkpoint of step {} are damaged",
                          checkpoint.step)
            : fmt::format("the checkpoint of step {} {}", checkpoint.step, description.damage));
  }
  if (!damaged_steps.empty()) events_.add_start_facts({{"damaged", damaged_steps}});
  if (found && place)
    events_.add_start_facts(
        {{"rests_on",
          {{"attempt", place->attempt}, {"offset", place->offset}, {kDropsLater, true}}}});
  events_.start(found ? found->step : 0);
  for (const std::string& what : passed_over) {
    events_.message("warning",
                    fmt::format("{}; going back to {}", what,
                                found ? fmt::format("step {}", found->step) : "the start"));
  }
  return found;
}

void CheckpointFolder::publish(
    int64_t step,
    const std::function<void(const std::filesystem::path&, const TensorMetadata&)>& write) {
  events_.sync();
  kill_point("after_checkpoint_events_sync");
  // Folders above it are not created: if the store was moved, they would look like another store.
  if (std::filesystem::create_directory(folder_)) sync_folder(folder_.parent_path());
  const std::filesystem::path file = folder_ / fmt::format("{}{}", kCheckpointPrefix, step);
  PendingFile pending(file);
  const EventPlace place = events_.place();
  write(pending.temporary(), {{kTrialKey, trial_of_folder()},
                              {kStepKey, std::to_string(step)},
                              {kAttemptKey, std::to_string(place.attempt)},
                              {kOffsetKey, std::to_string(place.offset)}});
  kill_point("before_checkpoint_sync");
  pending.finish();
  kill_point("before_checkpoint_rename");
  if (place.attempt > 0) require_newest_attempt(TrialFolder(folder_.parent_path()), place.attempt);
  pending.rename_to_final();
  kill_point("after_checkpoint_rename");
  sync_folder(folder_);
  kill_point("after_checkpoint_publish");
  // A checkpoint above this step is damaged, since this run resumed from an earlier one.
  bool kept_one_before = false;
  for (const Checkpoint& other : checkpoints_in(folder_)) {
    if (other.step == step) continue;
    const bool keep = other.step < step && !kept_one_before;
    kept_one_before |= keep;
    if (!keep) std::filesystem::remove(other.path);
  }
  kill_point("after_checkpoint_drop");
  events_.write({{"event", to_text(EventKind::checkpoint)},
                 {"step", step},
                 {"bytes", std::filesystem::file_size(file)}});
}

}  // namespace rethink
