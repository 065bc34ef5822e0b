#include "core/system/process_list.h"

#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>

namespace rethink {
namespace {

std::vector<Process> all_processes() {
  std::vector<Process> found;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", gone)) {
    const std::string number = entry.path().filename().string();
    Process process;
    if (std::from_chars(number.data(), number.data() + number.size(), process.pid).ec !=
        std::errc())
      continue;
    std::ifstream stat(entry.path() / "stat");
    std::string text;
    std::getline(stat, text);
    const size_t open = text.find('('), close = text.rfind(')');
    if (close == std::string::npos || close + 4 >= text.size()) continue;
    process.name = text.substr(open + 1, close - open - 1);
    process.zombie = text[close + 2] == 'Z';
    process.parent = std::atoi(text.c_str() + close + 4);
    found.push_back(process);
  }
  return found;
}

}  // namespace

std::vector<Process> descendants() {
  const std::vector<Process> all = all_processes();
  std::set<pid_t> ours{getpid()};
  std::vector<Process> found;
  for (bool grew = true; grew;) {
    grew = false;
    for (const Process& process : all) {
      if (!ours.count(process.parent) || !ours.insert(process.pid).second) continue;
      grew = true;
      if (!process.zombie) found.push_back(process);
    }
  }
  return found;
}

}  // namespace rethink
