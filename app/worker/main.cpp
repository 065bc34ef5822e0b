// rethink-worker: runs trials. Nothing here calls LibTorch: its first use belongs to the children
// that are forked.
#include <dlfcn.h>

#include <filesystem>
#include <map>

#include "app/worker/commands/bench.h"
#include "app/worker/commands/encode.h"
#include "app/worker/commands/import.h"
#include "core/error.h"
#include "experiments/attempt/worker_main.h"

namespace rethink {
namespace {

/// Before anything else of LibTorch: asked for CUDA without the plug-in, it remembers for good that
/// there is none.
void open_cuda_plugin() {
  const auto file =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "librethink_cuda.so";
  if (!dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL)) {
    throw MachineError(
        std::string("no CUDA: ") + dlerror() +
        "; `make deps` fetches the CUDA libraries where a GPU driver is, nvcc builds the plug-in; "
        "or use --device cpu");
  }
}

int run_command_line(std::vector<std::string> words) {
  if (words.size() == 2 && words[0] == "serve" && words[1] == "--cuda") {
    open_cuda_plugin();
    words.pop_back();
  }
  const std::map<std::string, int (*)(const std::vector<std::string>&)> commands = {
      {"bench", run_bench}, {"encode", run_encode}, {"import", run_import}};
  if (!words.empty() && commands.contains(words[0]))
    return commands.at(words[0])({words.begin() + 1, words.end()});
  if (const auto code = run_worker_command(words)) return *code;
  throw ConfigError(
      "usage: rethink-worker serve [--cuda] | attempt REQUEST | schema [--out FILE] | bench WHAT | "
      "encode DIR [--in FILE] --out FILE | import DIR --out DIR");
}

}  // namespace
}  // namespace rethink

int main(int count, char** words) {
  return rethink::run_main(count, words, rethink::run_command_line);
}
