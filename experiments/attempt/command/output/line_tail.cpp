#include "experiments/attempt/command/output/line_tail.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/error.h"

namespace rethink {
namespace {

/// The first byte of the file, before the program's lines. A program that replaces the content (>)
/// leaves another one, also if the new content is as long as the old.
constexpr char kBeginMark = '\0';

}  // namespace

LineTail::LineTail(std::filesystem::path file, size_t most, bool forgets)
    : file_(std::move(file)),
      most_(most),
      overwrites_(forgets),
      open_(open_file(file_, O_RDWR | O_CREAT | O_TRUNC)) {
  fchmod(open_.get(), S_IRUSR | S_IWUSR);  // a file system without modes has none to set
  write_all(open_.get(), {&kBeginMark, 1}, file_);
  offset_ = 1;
}

bool LineTail::read(const std::function<void(const std::string&)>& take) {
  constexpr size_t kMostAtOnce = size_t{4} << 20;
  require_same_file();
  char bytes[1 << 16];
  for (size_t all = 0; all < kMostAtOnce;) {
    const ssize_t got = pread(open_.get(), bytes, sizeof bytes, static_cast<off_t>(offset_));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    all += static_cast<size_t>(got);
    if (overwrites_) overwrite_with_zeros(offset_, static_cast<size_t>(got));
    offset_ += static_cast<uint64_t>(got);
    take_lines(rest_, {bytes, static_cast<size_t>(got)}, most_, take);
  }
  free_read_bytes();
  return true;
}

void LineTail::free_read_bytes() {
  constexpr uint64_t kAtOnce = uint64_t{16} << 20;
  const uint64_t end = offset_ / kAtOnce * kAtOnce;
  if (end == freed_) return;
  // For disks that cannot keep the whole file.
  fallocate(open_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(freed_),
            static_cast<off_t>(end - freed_));
  freed_ = end;
}

/// The program appends behind these bytes, so nothing of it is overwritten.
void LineTail::overwrite_with_zeros(uint64_t begin, size_t bytes) const {
  const std::string zeros(bytes, '\0');
  for (size_t done = 0; done < bytes;) {
    const ssize_t put =
        pwrite(open_.get(), zeros.data() + done, bytes - done, static_cast<off_t>(begin + done));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) throw_file_error(file_, "cannot be overwritten", errno);
    done += static_cast<size_t>(put);
  }
}

void LineTail::require_same_file() const {
  struct stat ours {
  }, there{};
  fstat(open_.get(), &ours);
  const bool is_there = stat(file_.c_str(), &there) == 0;
  if (!is_there || there.st_ino != ours.st_ino || there.st_dev != ours.st_dev)
    throw TrialError(
        "file-changed",
        "$RETHINK_EVENTS was replaced or removed, so lines are lost; open it to append "
        "(>>, mode a)");
  char first = 1;
  const bool is_marked = pread(open_.get(), &first, 1, 0) == 1 && first == kBeginMark;
  if (!is_marked || static_cast<uint64_t>(ours.st_size) < offset_)
    throw TrialError(
        "file-changed",
        "$RETHINK_EVENTS was truncated, so lines are lost; open it to append (>>, mode a)");
}

void take_lines(std::string& rest, std::string_view bytes, size_t most,
                const std::function<void(const std::string&)>& take) {
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    const std::string_view part = bytes.substr(0, end);
    if (rest.size() < most) rest.append(part.substr(0, most - rest.size()));
    if (end == std::string_view::npos) return;
    bytes.remove_prefix(end + 1);
    if (rest.ends_with('\r')) rest.pop_back();
    const std::string line = std::move(rest);
    rest.clear();
    take(line);
  }
}

}  // namespace rethink
