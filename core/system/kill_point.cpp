#include "core/system/kill_point.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/lock.h"
#include "core/system/spawn.h"

namespace rethink {
namespace {

struct Target {
  std::string name;
  int hit = 0;
};

Target parse_target(const std::string& text) {
  Target target;
  const size_t colon = text.rfind(':');
  const char* end = text.data() + text.size();
  if (colon != std::string::npos && colon > 0) target.name = text.substr(0, colon);
  if (target.name.empty() || std::from_chars(text.data() + colon + 1, end, target.hit).ptr != end ||
      target.hit < 1) {
    throw ConfigError("invalid-value",
                      "RETHINK_KILL_AT: got '" + text + "', expected NAME:K with K from 1");
  }
  return target;
}

const Target& target() {
  static const Target parsed = parse_target(std::getenv("RETHINK_KILL_AT"));
  return parsed;
}

std::filesystem::path& folder() {
  static std::filesystem::path chosen = [] {
    const char* given = std::getenv("RETHINK_KILL_FOLDER");
    return std::filesystem::path(given ? given : "");
  }();
  return chosen;
}

}  // namespace

const bool kKillPointsArmed = std::getenv("RETHINK_KILL_AT") || std::getenv("RETHINK_KILL_LIST");

void set_kill_point_folder(const std::filesystem::path& given) {
  if (!std::getenv("RETHINK_KILL_FOLDER")) folder() = given;
}

void hit_kill_point(const char* name) {
  if (const char* list = std::getenv("RETHINK_KILL_LIST")) {
    write_all(open_file(list, O_WRONLY | O_CREAT | O_APPEND).get(), std::string(name) + "\n", list);
    return;
  }
  if (target().name != name) return;
  RETHINK_ASSERT(!folder().empty(), std::string("set_kill_point_folder comes before ") + name);
  const std::filesystem::path path = folder() / "kill_point";
  const FileDescriptor file = open_file(path, O_RDWR | O_CREAT);
  const FileLock lock = FileLock::wait(file.get(), path);
  // The file has one byte per hit, so its size is the count. A kill during the write leaves no
  // half-written number.
  const off_t hits = lseek(file.get(), 0, SEEK_END);
  write_all(file.get(), "x", path);
  if (hits + 1 == target().hit) kill(getpid(), SIGKILL);
}

std::vector<std::string> environment_without_kill_points() {
  std::vector<std::string> environment = own_environment();
  std::erase_if(environment,
                [](const std::string& entry) { return entry.starts_with("RETHINK_KILL_"); });
  return environment;
}

}  // namespace rethink
