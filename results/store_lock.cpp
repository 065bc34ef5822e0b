#include "results/store_lock.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <ctime>

#include "core/error.h"
#include "core/process.h"
#include "results/rebuild.h"

namespace rethink {
namespace {

/// Nothing while the owner has not written it yet.
Json owner_in(const std::filesystem::path& path) {
  const Json owner = Json::parse(read_file(path), nullptr, /*allow_exceptions=*/false);
  return owner.is_object() ? owner : Json::object();
}

}  // namespace

std::optional<StoreLock> StoreLock::try_take(const std::filesystem::path& store,
                                             const std::string& command) {
  make_folder_durably(store);
  const std::filesystem::path path = store / "lock";
  FileDescriptor file = open_file(path, O_RDWR | O_CREAT);
  std::optional<FileLock> lock = FileLock::try_take(file.get(), path);
  if (!lock) return std::nullopt;
  const Json owner = {
      {"pid", getpid()},
      {"host", host_name()},
      {"since", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))},
      {"command", command}};
  if (ftruncate(file.get(), 0) != 0) throw_file_error(path, "cannot write", errno);
  write_all(file.get(), owner.dump() + "\n", path);
  put_back_trials(store);
  return StoreLock(std::move(file), std::move(*lock));
}

StoreLock StoreLock::take(const std::filesystem::path& store, const std::string& command) {
  std::optional<StoreLock> lock = try_take(store, command);
  if (lock) return std::move(*lock);
  const Json owner = owner_in(store / "lock");
  throw MachineError(fmt::format(
      "{}: the store is in use by `rethink {}`, process {} on {} since {}; wait for it or stop "
      "it (Ctrl-C there), then give the same command again",
      store.string(), owner.value("command", "?"), owner.value("pid", 0), owner.value("host", "?"),
      owner.value("since", "?")));
}

std::optional<Json> store_owner(const std::filesystem::path& store) {
  if (!is_locked(store / "lock")) return std::nullopt;
  return owner_in(store / "lock");
}

}  // namespace rethink
