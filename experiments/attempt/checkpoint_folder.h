// The two newest checkpoints of a trial, each one file published by write, fsync, rename, fsync of
// the folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

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

  /// The newest checkpoint that `valid` accepts; a damaged one means the older one, with a warning
  /// event. Writes the attempt's start event with the step found and, as "damaged", the steps
  /// passed over. Requires: called before any event is written.
  std::optional<Checkpoint> newest(
      const std::function<bool(const std::filesystem::path&)>& valid) const;

  /// Makes a checkpoint of `step`: syncs the event log, lets `write` write the temporary file,
  /// publishes it under its final name, drops all but this and the one before, writes a checkpoint
  /// event. `event_offset` is what the file must record. Durable: all of it, when it returns.
  /// Throws MachineError; temporary files are then gone.
  void publish(
      int64_t step,
      const std::function<void(const std::filesystem::path& file, uint64_t event_offset)>& write);

 private:
  std::filesystem::path folder_;
  EventLog& events_;
};

}  // namespace rethink
