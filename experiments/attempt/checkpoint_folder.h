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

#include "core/format/event.h"
#include "core/format/safetensors.h"

namespace rethink {

class EventLog;

struct Checkpoint {
  int64_t step = 0;
  std::filesystem::path path;
};

/// `metadata` with a checksum of it and of the names, types and shapes of `tensors`: what a
/// checkpoint's file has to be written with.
TensorMetadata with_description_checksum(TensorMetadata metadata, const TensorViews& tensors);

/// Returns the checkpoints in a folder, newest first, readable or not.
std::vector<Checkpoint> checkpoints_in(const std::filesystem::path& folder);

class CheckpointFolder {
 public:
  CheckpointFolder(std::filesystem::path folder, EventLog& events);

  /// The newest checkpoint that `valid` accepts, whose description is sound and of this trial, and whose
  /// events can be read; a damaged one means the older one, with a warning event. Writes the attempt's start event with the step found, the
  /// place in the events on which it rests and, as "damaged", the steps passed over. Requires:
  /// called before any event is written.
  std::optional<Checkpoint> newest(
      const std::function<bool(const std::filesystem::path&)>& valid) const;

  /// Makes a checkpoint of `step`: syncs the event log, lets `write` write the temporary file,
  /// publishes it under its final name, drops all but this and the one before, writes a checkpoint
  /// event. `description` is what the file's metadata must have, with its checksum: the trial, the step,
  /// and where in the events the checkpoint stands. Durable: all of it, when it returns. Throws MachineError; temporary files are then
  /// gone.
  void publish(int64_t step, const std::function<void(const std::filesystem::path& file,
                                                      const TensorMetadata& description)>& write);

 private:
  std::string trial_of_folder() const;
  bool has_its_events(const std::optional<EventPlace>& place) const;

  std::filesystem::path folder_;
  EventLog& events_;
};

}  // namespace rethink
