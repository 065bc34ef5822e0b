#include "experiments/run/cache_folder.h"

#include <fmt/format.h>

#include <string>

#include "core/system/file.h"
#include "core/system/lock_probe.h"
#include "core/system/log.h"
#include "core/system/store_file.h"
#include "core/text.h"
#include "experiments/plan/expand/input_hashes.h"

namespace rethink {
namespace {

constexpr uint64_t kLeastRoom = 256 << 20;  // [bytes]; caches take less than their data sets

/// Why `cache` cannot be used; empty: it can.
std::string trouble_of_cache(const std::filesystem::path& cache) {
  if (find_invalid_utf8(cache.string()) != std::string::npos) return "its name is not UTF-8";
  try {
    make_folder_durably(cache);
    const LockProbe locks = probe_locks(cache);
    if (locks.support == LockSupport::not_tried) return locks.problem;
    if (locks.support != LockSupport::works) return "its disk " + locks.problem;
    if (free_disk_bytes(cache) < kLeastRoom)
      return fmt::format("less than {} MiB are free there", kLeastRoom >> 20);
  } catch (const DiskFullError&) {
    return "its disk is full";
  } catch (const MachineError& error) {
    return error.what();
  } catch (const std::filesystem::filesystem_error& error) {
    return error.what();
  }
  return "";
}

/// Where only the store's own is left, it must be one.
std::filesystem::path own_cache_folder(const std::filesystem::path& store) {
  const std::filesystem::path own = store / "cache";
  if (const std::string problem = store_folder_problem(own); !problem.empty())
    throw MachineError(problem);
  return own;
}

}  // namespace

std::filesystem::path usable_cache_folder(const std::filesystem::path& store) {
  const std::filesystem::path memory = hash_memory_folder();
  if (memory.empty()) return own_cache_folder(store);
  const std::string trouble = trouble_of_cache(memory.parent_path());
  if (trouble.empty()) return memory.parent_path();
  const std::filesystem::path own = own_cache_folder(store);
  log_info(fmt::format(
      "the cache {} cannot be used ({}): prepared data sets go to {}; XDG_CACHE_HOME can name "
      "another folder",
      memory.parent_path().string(), trouble, own.string()));
  return own;
}

}  // namespace rethink
