#include "core/store_files/line_ends.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/store_file.h"
#include "core/store_files/event.h"

namespace rethink {
namespace {

/// Returns the place after the last newline in [begin, end), searched from the end: most pieces that
/// a reader polls have one in their last block.
std::optional<uint64_t> last_line_end(const FileDescriptor& open, const std::filesystem::path& file,
                                      uint64_t begin, uint64_t end) {
  std::string block(size_t{1} << 16, '\0');
  while (end > begin) {
    const size_t wanted = std::min<uint64_t>(end - begin, block.size());
    const uint64_t at = end - wanted;
    size_t got = 0;
    while (got < wanted) {
      const ssize_t more =
          pread(open.get(), block.data() + got, wanted - got, static_cast<off_t>(at + got));
      if (more < 0 && errno == EINTR) continue;
      if (more < 0) throw_file_error(file, "reading failed", errno);
      if (more == 0) break;  // it became shorter, which the next call notices
      got += static_cast<size_t>(more);
    }
    const size_t newline = std::string_view(block).substr(0, got).rfind('\n');
    if (newline != std::string_view::npos) return at + newline + 1;
    end = at;
  }
  return std::nullopt;
}

}  // namespace

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
  line_ = last_line_end(open, file, bytes_, size).value_or(line_);
  bytes_ = size;
  return line_ != line_before || (!was_too_long && bytes_ - line_ > kMostEventBytes);
}

}  // namespace rethink
