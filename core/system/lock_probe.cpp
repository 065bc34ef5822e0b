#include "core/system/lock_probe.h"

#include <fcntl.h>
#include <unistd.h>

#include "core/system/file.h"
#include "core/system/lock.h"
#include "core/system/uuid.h"

namespace rethink {
namespace {

/// What is said of a disk whose locks were tried.
const char* problem_of(LockSupport support) {
  switch (support) {
    case LockSupport::keeps_nobody_out:
      return "grants one lock twice";
    case LockSupport::refuses_everybody:
      return "refuses a lock that nobody has";
    case LockSupport::unsupported:
      return "does not support file locks (F_OFD_SETLK)";
    case LockSupport::works:
    case LockSupport::not_tried:
      break;
  }
  return "";
}

struct RemovedFile {
  std::filesystem::path path;
  ~RemovedFile() {
    std::error_code ignored;  // a few bytes that nobody reads
    std::filesystem::remove(path, ignored);
  }
};

/// Throws LocksUnsupported, or as throw_file_error.
LockSupport try_locks(const std::filesystem::path& path) {
  // Made anew: nothing that is there already is written to.
  const FileDescriptor file = open_file(path, O_RDWR | O_CREAT | O_EXCL);
  const RemovedFile removed{path};
  write_all(file.get(), "x", path);  // some network disks make a file and take no bytes
  const FileDescriptor other = open_file(path, O_RDWR);
  const auto held = FileLock::try_take(file.get(), path);
  if (!held) return LockSupport::refuses_everybody;
  return FileLock::try_take(other.get(), path) ? LockSupport::keeps_nobody_out : LockSupport::works;
}

}  // namespace

LockProbe probe_locks(const std::filesystem::path& folder) {
  try {
    const LockSupport support = try_locks(folder / (".lock-probe-" + new_uuid()));
    return {support, problem_of(support)};
  } catch (const LocksUnsupported&) {
    return {LockSupport::unsupported, problem_of(LockSupport::unsupported)};
  } catch (const DiskFullError&) {
    return {LockSupport::not_tried, "its disk is full"};
  } catch (const MachineError& error) {
    return {LockSupport::not_tried, error.what()};
  }
}

}  // namespace rethink
