#include "experiments/attempt/command/helper_module.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include "core/error.h"
#include "core/files/named_file.h"
#include "core/message.h"
#include "core/system/process.h"

namespace rethink {

std::filesystem::path helper_module_file() {
  const auto programs = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const char* file :
       {"../share/rethink/rethink.py", "../../../release/python/rethink/_trial.py"}) {
    const std::filesystem::path found = (programs / file).lexically_normal();
    if (is_file_there(found)) return found;
  }
  return {};
}

bool imports_helper_module(std::string_view text) {
  static const RE2 import(R"((?m)^[ \t]*(import|from)[ \t][^\n#]*\brethink\b)");
  return RE2::PartialMatch(text, import);
}

bool finds_helper_module(const std::string& python) {
  // The first folder of the path is the current one, in which an attempt has its copy of the code.
  const std::string search =
      "import sys; sys.path = sys.path[1:]\nimport importlib.util\n"
      "sys.exit(3 if importlib.util.find_spec('rethink') is None else 0)";
  constexpr int kMissing = 3;
  try {
    return run_program({.words = {"timeout", "-k", "2", "10", python, "-E", "-c", search},
                        .keeps_environment = false})
               .status != kMissing;
  } catch (const MachineError&) {
    return true;
  }
}

std::string advice_on_helper_module(const std::string& python) {
  const std::filesystem::path file = helper_module_file();
  return fmt::format(
      "copy {} to {} beside the program and add {} to `code`, or install the wheel "
      "of rethink for {}",
      file.empty() ? "the module of the installation" : for_a_shell(file.string()), kHelperModule,
      kHelperModule, python);
}

}  // namespace rethink
