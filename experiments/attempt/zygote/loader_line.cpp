#include "experiments/attempt/zygote/loader_line.h"

#include <array>
#include <cstdio>

#include "core/shell_word.h"

namespace rethink {

std::string line_of_loader(const std::vector<std::string>& words) {
  std::string command = "LD_BIND_NOW=1";  // as workers are started: a symbol may be missing, too
  for (const std::string& word : words) command += " " + for_a_shell(word);
  FILE* said = popen((command + " 2>&1 >/dev/null </dev/null").c_str(), "re");
  if (!said) return "";
  std::array<char, 4096> buffer{};
  std::string line = fgets(buffer.data(), buffer.size(), said) ? buffer.data() : "";
  pclose(said);
  if (line.ends_with('\n')) line.pop_back();
  const std::string own_name = words[0] + ": ";
  return line.starts_with(own_name) ? line.substr(own_name.size()) : line;
}

}  // namespace rethink
