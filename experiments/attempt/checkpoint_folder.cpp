#include "experiments/attempt/checkpoint_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "core/file.h"
#include "core/kill_point.h"
#include "experiments/attempt/event_log.h"

namespace rethink {
namespace {

constexpr const char* kPrefix = "checkpoint-";

}  // namespace

std::vector<Checkpoint> checkpoints_in(const std::filesystem::path& folder) {
  std::vector<Checkpoint> found;
  std::error_code ignored;  // no folder: no checkpoint yet
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kPrefix)) continue;
    int64_t step = 0;
    const char* end = name.data() + name.size();
    const auto parsed =
        std::from_chars(name.data() + std::char_traits<char>::length(kPrefix), end, step);
    if (parsed.ec == std::errc() && parsed.ptr == end) found.push_back({step, entry.path()});
  }
  std::ranges::sort(found, std::ranges::greater(), &Checkpoint::step);
  return found;
}

CheckpointFolder::CheckpointFolder(std::filesystem::path folder, EventLog& events)
    : folder_(std::move(folder)), events_(events) {}

std::optional<Checkpoint> CheckpointFolder::newest(
    const std::function<bool(const std::filesystem::path&)>& valid) const {
  const std::vector<Checkpoint> all = checkpoints_in(folder_);
  const auto found = std::ranges::find_if(
      all, [&](const Checkpoint& checkpoint) { return valid(checkpoint.path); });
  const bool none = found == all.end();
  Json damaged_steps = Json::array();
  for (auto damaged = all.begin(); damaged != found; ++damaged)
    damaged_steps.push_back(damaged->step);
  if (!damaged_steps.empty()) events_.add_start_facts({{"damaged", damaged_steps}});
  events_.start(none ? 0 : found->step);
  for (auto damaged = all.begin(); damaged != found; ++damaged) {
    events_.message(
        "warning",
        fmt::format("the checkpoint of step {} is damaged; going back to {}", damaged->step,
                    none ? "the start" : fmt::format("step {}", found->step)));
  }
  return none ? std::nullopt : std::optional(*found);
}

void CheckpointFolder::publish(
    int64_t step, const std::function<void(const std::filesystem::path&, uint64_t)>& write) {
  events_.sync();
  kill_point("after_checkpoint_events_sync");
  make_folder_durably(folder_);
  const std::filesystem::path file = folder_ / fmt::format("{}{}", kPrefix, step);
  PendingFile pending(file);
  write(pending.temporary(), events_.offset());
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
