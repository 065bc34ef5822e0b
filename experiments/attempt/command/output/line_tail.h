// The file $RETHINK_EVENTS, to which a program appends, read by whole lines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "core/files/file.h"

namespace rethink {

class LineTail {
 public:
  /// Makes the file, with a byte 0 before the lines, and keeps it open, so that a replacement of the
  /// file or its content by another process is noticed.
  /// Only this user may read it. Lines are cut at `most` bytes. `forgets`: what was read is
  /// overwritten with zeros at once, since it may have secrets. Throws MachineError.
  LineTail(std::filesystem::path file, size_t most, bool forgets = false);

  /// Calls take(line) for each new whole line, without its "\n" or "\r\n", up to a few MB. Returns
  /// true if there is more. Now and then the bytes already read are given back to the disk, if the
  /// disk supports this: the file keeps its length, and its beginning reads as zeros. Throws
  /// TrialError if the file was cut or replaced, since lines are then lost.
  bool read(const std::function<void(const std::string&)>& take);

  uint64_t bytes_read() const { return offset_; }
  /// Returns a line that has no end yet.
  const std::string& rest() const { return rest_; }

 private:
  void require_same_file() const;
  void free_read_bytes();
  void overwrite_with_zeros(uint64_t begin, size_t bytes) const;

  const std::filesystem::path file_;
  const size_t most_;
  const bool overwrites_;
  const FileDescriptor open_;
  uint64_t offset_ = 0, freed_ = 0;  // [bytes]
  std::string rest_;
};

/// Calls take(line) for each whole line of `rest` and `bytes`; the unfinished line stays in `rest`.
void take_lines(std::string& rest, std::string_view bytes, size_t most,
                const std::function<void(const std::string&)>& take);

}  // namespace rethink
