#include "core/lock_probe.h"

#include <fcntl.h>
#include <unistd.h>

#include "core/file.h"
#include "core/lock.h"
#include "core/uuid.h"

namespace rethink {
namespace {

constexpr const char* kKeepsNobodyOut = "grants one lock twice";

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
  return held && !FileLock::try_take(other.get(), path) ? LockSupport::works
                                                        : LockSupport::keeps_nobody_out;
}

}  // namespace

LockProbe probe_locks(const std::filesystem::path& folder) {
  try {
    const LockSupport support = try_locks(folder / (".lock-probe-" + new_uuid()));
    return {support, support == LockSupport::works ? "" : kKeepsNobodyOut};
  } catch (const LocksUnsupported&) {
    return {LockSupport::unsupported, "does not support file locks (F_OFD_SETLK)"};
  } catch (const DiskFullError&) {
    return {LockSupport::not_tried, "its disk is full"};
  } catch (const MachineError& error) {
    return {LockSupport::not_tried, error.what()};
  }
}

}  // namespace rethink
