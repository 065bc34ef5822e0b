// The two newest checkpoints of a trial, each one safetensors file published by write, fsync,
// rename, fsync of the folder. The metadata has the trial, the step, and which events came before
// the checkpoint. A checkpoint is useless without these events, since only they have the trial's
// numbers up to its step. One checksum covers the metadata, another the tensors' bytes
// (experiments/train/state.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/format/safetensors.h"
#include "core/store_files/event.h"

namespace rethink {

class EventLog;

struct Checkpoint {
  int64_t step = 0;
  std::filesystem::path path;
};

/// Returns `metadata` with a checksum of the metadata and of the names, types and shapes of
/// `tensors`. A checkpoint's file must be written with the result.
TensorMetadata with_description_checksum(TensorMetadata metadata, const TensorViews& tensors);

/// Returns the checkpoints in a folder, newest first, readable or not.
std::vector<Checkpoint> checkpoints_in(const std::filesystem::path& folder);

/// Returns the step of the newest checkpoint in a folder if it has reached the option `stop_at` of
/// the trial's configuration; nothing otherwise. Such a trial waits until the option is raised or
/// removed.
std::optional<int64_t> step_at_stop(const Json& config, const std::filesystem::path& folder);

class CheckpointFolder {
 public:
  CheckpointFolder(std::filesystem::path folder, EventLog& events);

  /// Returns the newest checkpoint of this trial whose description is sound, whose events can be read, and that `valid`
  /// accepts. If the newest checkpoint is damaged, the older one is used, with a warning event. Writes the attempt's
  /// start event with the step found, the position in the events on which the checkpoint rests and, as "damaged", the
  /// skipped steps. Requires: no event is written yet.
  std::optional<Checkpoint> newest(
      const std::function<bool(const std::filesystem::path&)>& valid) const;

  /// Makes a checkpoint of `step`: syncs the event log, lets `write` write the temporary file,
  /// publishes it under its final name, removes all but this checkpoint and the one before, and
  /// writes a checkpoint event. `description` is the required metadata of the file, with its
  /// checksum: the trial, the step, and the checkpoint's position in the events. Durable when it
  /// returns. Throws MachineError; temporary files are then removed.
  void publish(int64_t step, const std::function<void(const std::filesystem::path& file,
                                                      const TensorMetadata& description)>& write);

 private:
  std::string trial_of_folder() const;
  bool has_all_its_events(const std::optional<EventPlace>& place) const;

  std::filesystem::path folder_;
  EventLog& events_;
};

}  // namespace rethink
