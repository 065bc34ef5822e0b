#include "core/store_files/line_ends.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/store_file.h"
#include "core/store_files/event.h"

namespace rethink {

bool LineEnds::added(const std::filesystem::path& file) {
  std::error_code missing;
  const uint64_t size = std::filesystem::file_size(file, missing);
  if (missing || size == bytes_) return false;
  if (size < bytes_ || !store_file_problem(file).empty()) {
    bytes_ = size;
    line_ = std::min(line_, size);
    return true;
  }
  const bool was_too_long = bytes_ - line_ > kMostEventBytes;
  const uint64_t line_before = line_;
  const FileDescriptor open = open_store_file(file, O_RDONLY);
  std::string buffer(size_t{1} << 16, '\0');
  while (true) {
    const ssize_t got = pread(open.get(), buffer.data(), buffer.size(), static_cast<off_t>(bytes_));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_file_error(file, "reading failed", errno);
    if (got == 0) break;
    const size_t end = buffer.rfind('\n', static_cast<size_t>(got) - 1);
    if (end != std::string::npos) line_ = bytes_ + end + 1;
    bytes_ += static_cast<uint64_t>(got);
  }
  return line_ != line_before || (!was_too_long && bytes_ - line_ > kMostEventBytes);
}

}  // namespace rethink
