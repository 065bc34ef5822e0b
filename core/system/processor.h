// The processor as the kernel reports it, and the CPU time that a container or batch system allows
// this process.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace rethink {

/// Returns the number of CPUs that the quota of this process's cgroup, or of a cgroup above it,
/// allows (0.5: half of the time of one CPU): the smallest of the quotas, or nothing without a
/// quota. Reads cpu.max (cgroup version 2), and cpu.cfs_quota_us with cpu.cfs_period_us (version
/// 1). `root` is the parent of /proc and /sys.
std::optional<double> cpu_quota(const std::filesystem::path& root = "/");

/// Returns a line of /proc/cpuinfo for the first core: "model name", "flags"; "" without the line.
std::string processor_fact(const std::string& name);

}  // namespace rethink
