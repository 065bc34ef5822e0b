// The list of this machine's processes, from /proc.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace rethink {

struct Process {
  pid_t pid = 0, parent = 0;
  std::string name;  // at most 15 bytes, as the kernel keeps it
  bool zombie = false;
};

/// Returns living descendants of this process. If it is a subreaper, orphans are among them.
std::vector<Process> descendants();

}  // namespace rethink
