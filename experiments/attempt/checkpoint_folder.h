// The two newest checkpoints of a trial, each one safetensors file published by write, fsync,
// rename, fsync of the folder. Its metadata says which events came before it: a checkpoint is of no
// use without them, for the trial's numbers up to its step stand nowhere else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/event.h"
#include "core/safetensors.h"

namespace rethink {

class EventLog;

struct Checkpoint {
  int64_t step = 0;
  std::filesystem::path path;
};

/// The checkpoints that a folder holds, newest first, whether they can be read or not.
std::vector<Checkpoint> checkpoints_in(const std::filesystem::path& folder);

class CheckpointFolder {
 public:
  CheckpointFolder(std::filesystem::path folder, EventLog& events);

  /// The newest checkpoint that `valid` accepts and whose events can be read; a damaged one means
  /// the older one, with a warning event. Writes the attempt's start event with the step found, the
  /// place in the events on which it rests and, as "damaged", the steps passed over. Requires:
  /// called before any event is written.
  std::optional<Checkpoint> newest(
      const std::function<bool(const std::filesystem::path&)>& valid) const;

  /// Makes a checkpoint of `step`: syncs the event log, lets `write` write the temporary file,
  /// publishes it under its final name, drops all but this and the one before, writes a checkpoint
  /// event. `place` is what the file's metadata must have: where in the events the checkpoint
  /// stands. Durable: all of it, when it returns. Throws MachineError; temporary files are then
  /// gone.
  void publish(int64_t step, const std::function<void(const std::filesystem::path& file,
                                                      const TensorMetadata& place)>& write);

 private:
  bool has_its_events(const std::optional<EventPlace>& place) const;

  std::filesystem::path folder_;
  EventLog& events_;
};

}  // namespace rethink
