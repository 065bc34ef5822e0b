#include "core/system/processor.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <vector>

namespace rethink {

namespace {

namespace fs = std::filesystem;

std::optional<double> positive_number(const std::string& text) {
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && value > 0 ? std::optional(value) : std::nullopt;
}

/// "max" and -1 mean no quota.
std::optional<double> ratio_of(const std::string& quota, const std::string& period) {
  const auto time = positive_number(quota), of = positive_number(period);
  return time && of ? std::optional(*time / *of) : std::nullopt;
}

std::string first_word(const fs::path& file) {
  std::ifstream in(file);
  std::string word;
  in >> word;
  return word;
}

std::optional<double> quota_of_group(const fs::path& group) {
  std::ifstream both(group / "cpu.max");
  std::string quota, period;
  if (both >> quota >> period) return ratio_of(quota, period);
  return ratio_of(first_word(group / "cpu.cfs_quota_us"), first_word(group / "cpu.cfs_period_us"));
}

/// Where the groups of these controllers may be mounted; empty if the controllers do not concern
/// CPUs.
std::vector<fs::path> mounts_of(const std::string& controllers) {
  if (controllers.empty()) return {"", "unified"};  // version 2, alone or beside version 1
  if (("," + controllers + ",").find(",cpu,") == std::string::npos) return {};
  return {controllers, "cpu"};
}

}  // namespace

std::optional<double> cpu_quota(const fs::path& root) {
  std::optional<double> least;
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // "0::/a/b", "1:cpu,cpuacct:/a/b"
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    for (const fs::path& mount : mounts_of(line.substr(first + 1, second - first - 1))) {
      // Includes the mount itself: without a cgroup namespace a container sees its own group there.
      fs::path group = fs::path(line.substr(second + 1)).relative_path();
      for (bool more = true; more; group = group.parent_path()) {
        const auto quota = quota_of_group(root / "sys/fs/cgroup" / mount / group);
        if (quota) least = std::min(quota.value(), least.value_or(*quota));
        more = !group.empty();
      }
    }
  }
  return least;
}

std::string processor_fact(const std::string& name) {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (!line.starts_with(name)) continue;
    const size_t value = line.find(": ");
    return value == std::string::npos ? "" : line.substr(value + 2);
  }
  return "";
}

}  // namespace rethink
