#include "experiments/attempt/checkpoint_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <string>
#include <vector>

#include "core/file.h"
#include "core/hash.h"
#include "core/json.h"
#include "core/kill_point.h"
#include "experiments/attempt/event_log.h"
#include "experiments/attempt/trial_folder.h"

namespace rethink {
namespace {

constexpr const char* kCheckpointPrefix = "checkpoint-";
constexpr const char* kAttemptKey = "event_attempt";
constexpr const char* kOffsetKey = "event_offset";
constexpr const char* kStepKey = "step";
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

struct Description {
  bool is_sound = false;
  std::optional<EventPlace> place;  // nothing in a checkpoint of an older version
};

/// Version 0.1.0 wrote no checksum of the description. It knew no members but these, so that another
/// one is a damaged name.
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

Description description_of(const Checkpoint& checkpoint) {
  const SafetensorsFile file(checkpoint.path);
  Description description{.is_sound = has_sound_description(file, checkpoint.step), .place = {}};
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
  std::error_code ignored;  // no folder: no checkpoint yet
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kCheckpointPrefix)) continue;
    int64_t step = 0;
    const char* end = name.data() + name.size();
    const auto parsed =
        std::from_chars(name.data() + std::char_traits<char>::length(kCheckpointPrefix), end, step);
    if (parsed.ec == std::errc() && parsed.ptr == end) found.push_back({step, entry.path()});
  }
  std::ranges::sort(found, std::ranges::greater(), &Checkpoint::step);
  return found;
}

CheckpointFolder::CheckpointFolder(std::filesystem::path folder, EventLog& events)
    : folder_(std::move(folder)), events_(events) {}

bool CheckpointFolder::has_its_events(const std::optional<EventPlace>& place) const {
  const TrialFolder trial(folder_.parent_path());
  std::map<int64_t, std::filesystem::path> files;
  for (const int64_t number : trial.attempts()) files[number] = trial.events(number);
  return events_are_whole(files, place);
}

std::optional<Checkpoint> CheckpointFolder::newest(
    const std::function<bool(const std::filesystem::path&)>& valid) const {
  std::optional<Checkpoint> found;
  std::optional<EventPlace> place;
  std::vector<std::pair<int64_t, std::string>> passed_over;  // steps, and what is damaged
  for (const Checkpoint& checkpoint : checkpoints_in(folder_)) {
    bool is_valid = valid(checkpoint.path);
    if (is_valid) {
      const Description description = description_of(checkpoint);
      is_valid = description.is_sound;
      place = description.place;
    }
    if (is_valid && has_its_events(place)) {
      found = checkpoint;
      break;
    }
    passed_over.emplace_back(checkpoint.step,
                             is_valid ? "events before the checkpoint" : "checkpoint");
  }
  Json damaged_steps = Json::array();
  for (const auto& [step, what] : passed_over) damaged_steps.push_back(step);
  if (!damaged_steps.empty()) events_.add_start_facts({{"damaged", damaged_steps}});
  if (found && place)
    events_.add_start_facts(
        {{"rests_on", {{"attempt", place->attempt}, {"offset", place->offset}}}});
  events_.start(found ? found->step : 0);
  for (const auto& [step, what] : passed_over) {
    events_.message("warning",
                    fmt::format("the {} of step {} {} damaged; going back to {}", what, step,
                                what == "checkpoint" ? "is" : "are",
                                found ? fmt::format("step {}", found->step) : "the start"));
  }
  return found;
}

void CheckpointFolder::publish(
    int64_t step,
    const std::function<void(const std::filesystem::path&, const TensorMetadata&)>& write) {
  events_.sync();
  kill_point("after_checkpoint_events_sync");
  // Not the folders above it: where the store was moved, they would look like another store.
  if (std::filesystem::create_directory(folder_)) sync_folder(folder_.parent_path());
  const std::filesystem::path file = folder_ / fmt::format("{}{}", kCheckpointPrefix, step);
  PendingFile pending(file);
  const EventPlace place = events_.place();
  write(pending.temporary(), {{kStepKey, std::to_string(step)},
                              {kAttemptKey, std::to_string(place.attempt)},
                              {kOffsetKey, std::to_string(place.offset)}});
  kill_point("before_checkpoint_sync");
  pending.finish();
  kill_point("before_checkpoint_rename");
  pending.rename_to_final();
  kill_point("after_checkpoint_rename");
  sync_folder(folder_);
  kill_point("after_checkpoint_publish");
  // A checkpoint above this step is one that was damaged and that this run has gone back behind.
  bool kept_one_before = false;
  for (const Checkpoint& other : checkpoints_in(folder_)) {
    if (other.step == step) continue;
    const bool keep = other.step < step && !kept_one_before;
    kept_one_before |= keep;
    if (!keep) std::filesystem::remove(other.path);
  }
  kill_point("after_checkpoint_drop");
  events_.write(
      {{"event", "checkpoint"}, {"step", step}, {"bytes", std::filesystem::file_size(file)}});
}

}  // namespace rethink
