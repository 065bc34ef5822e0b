// Whether the locks of a disk keep a second process out, found out by taking one.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

enum class LockSupport {
  works,
  keeps_nobody_out,   // the disk grants one lock twice
  refuses_everybody,  // the disk says that somebody has a lock that nobody has
  unsupported,        // the disk has no locks
  not_tried           // no file can be made in the folder
};

struct LockProbe {
  LockSupport support = LockSupport::works;
  /// Said of the disk: "grants one lock twice", ...; of not_tried "PATH: cannot ..." or "its disk is full".
  std::string problem{};
};

/// Locks a file of its own in an existing folder, and removes it. Throws nothing.
LockProbe probe_locks(const std::filesystem::path& folder);

}  // namespace rethink
