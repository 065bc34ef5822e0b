#include "experiments/attempt/command/line_tail.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "core/system/file.h"

namespace rethink {

void LineTail::read(const std::function<void(const std::string&)>& take) {
  const FileDescriptor file(open(file_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return;
  char bytes[1 << 16];
  while (true) {
    const ssize_t got = pread(file.get(), bytes, sizeof bytes, static_cast<off_t>(offset_));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    offset_ += static_cast<uint64_t>(got);
    take_lines(rest_, {bytes, static_cast<size_t>(got)}, most_, take);
  }
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
