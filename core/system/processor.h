// The processor as the kernel reports it, and the CPU time that a container or batch system allows
// this process.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace rethink {

/// How many CPUs the quota of this process's cgroup, or of one above it, pays for (0.5: half of the
/// time of one): the least of them; none where there is no quota. Reads cpu.max (cgroup version 2)
/// and cpu.cfs_quota_us with cpu.cfs_period_us (version 1). `root`: where /proc and /sys are.
std::optional<double> cpu_quota(const std::filesystem::path& root = "/");

/// A line of /proc/cpuinfo, of the first core: "model name", "flags"; empty where there is none.
std::string processor_fact(const std::string& name);

}  // namespace rethink
