// A file that another process appends to, read by whole lines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "core/system/file.h"

namespace rethink {

class LineTail {
 public:
  /// Makes the file, empty, and keeps it open: what another process puts in its place is found out. `most`: bytes of a
  /// line; a longer one is cut there. Throws MachineError.
  LineTail(std::filesystem::path file, size_t most);

  /// Calls take(line) for each new whole line, without its "\n" or "\r\n", of a few MB at most: true where there is
  /// more. What was read is given back to the disk now and then, where the disk can: the file keeps its length, and its
  /// beginning reads as zeros. Throws TrialError where the file was cut or replaced, for then lines are lost.
  bool read(const std::function<void(const std::string&)>& take);

  uint64_t bytes_read() const { return offset_; }
  /// A line that was begun and has no end yet.
  const std::string& rest() const { return rest_; }

 private:
  void require_same_file() const;
  void free_what_was_read();

  const std::filesystem::path file_;
  const size_t most_;
  const FileDescriptor open_;
  uint64_t offset_ = 0, freed_ = 0;  // [bytes]
  std::string rest_;
};

/// Takes whole lines from what comes in pieces: `rest` and `bytes`; what is begun stays in `rest`.
void take_lines(std::string& rest, std::string_view bytes, size_t most,
                const std::function<void(const std::string&)>& take);

}  // namespace rethink
