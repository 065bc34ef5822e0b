#include "core/system/remembered_hash.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>

#include "core/system/file.h"
#include "core/system/hash.h"
#include "core/system/store_file.h"

namespace rethink {
namespace {

constexpr size_t kHexDigits = 64;

/// A cache that cannot be written only costs time.
void remember(const std::filesystem::path& memory, const std::string& found) {
  std::error_code failed;
  std::filesystem::create_directories(memory.parent_path(), failed);
  try {
    if (!failed) write_file_atomically(memory, found);
  } catch (const MachineError&) {
  }
}

/// Empty where nothing can be read.
std::string recalled(const std::filesystem::path& memory) {
  std::error_code unknown;
  if (!std::filesystem::exists(memory, unknown)) return "";
  try {
    return read_store_file(memory);
  } catch (const MachineError&) {
    return "";
  } catch (const DamagedFile&) {
    return "";
  }
}

}  // namespace

std::string remembered(const std::filesystem::path& file, const std::filesystem::path& folder,
                       const std::string& what, size_t length,
                       const std::function<std::string()>& find) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) throw_file_error(file, "cannot read it", errno);
  if (folder.empty()) return find();
  const std::string identity =
      fmt::format("{} {} {} {}.{:09}", std::filesystem::absolute(file).string(), status.st_size,
                  status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  const std::filesystem::path memory =
      folder / fmt::format("{:.32}.{}", sha256_hex(identity), what);
  if (const std::string known = recalled(memory); known.size() == length) return known;
  const std::string found = find();
  // A file written just now may be written again within the clock's grain, with size and time
  // unchanged.
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  if (now - status.st_mtim.tv_sec > 2) remember(memory, found);
  return found;
}

std::string remembered_sha256(const std::filesystem::path& file,
                              const std::filesystem::path& folder) {
  return remembered(file, folder, "sha256", kHexDigits, [&] { return sha256_file(file); });
}

}  // namespace rethink
