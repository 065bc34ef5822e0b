// Finds out whether a line of a growing events.jsonl has ended. read_events reads an unfinished
// last line from its start. A reader that polls asks this class first, so a line that grows in many
// pieces is read twice and not once per piece.
#pragma once

#include <cstdint>
#include <filesystem>

namespace rethink {

class LineEnds {
 public:
  /// Returns whether read_events may find more than at the last call that returned true: a line has
  /// ended, or the file is shorter, no file of a store, or has an unfinished line longer than any
  /// event. Returns false for a missing file. Throws MachineError if the file cannot be read. Cost:
  /// reads the added bytes from the end to the last line end.
  bool added(const std::filesystem::path& file);

  /// Returns the file's size at the last call [bytes].
  uint64_t bytes() const { return bytes_; }

 private:
  uint64_t bytes_ = 0;  // size of the part that was searched for line ends
  uint64_t line_ = 0;   // where the unfinished line begins
};

}  // namespace rethink
