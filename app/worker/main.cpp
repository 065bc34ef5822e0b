// rethink-worker: runs trials and all other computation. `serve` leaves the first use of LibTorch
// to its forked children; bench, encode, export, generate and import compute in this process.
#include <iostream>
#include <map>

#include "app/worker/bench.h"
#include "app/worker/cuda_plugin.h"
#include "app/worker/decoder_commands.h"
#include "app/worker/encoder_commands.h"
#include "core/error.h"
#include "experiments/attempt/build_id.h"
#include "experiments/attempt/worker_main.h"
#include "experiments/train/numeric_build.h"

namespace rethink {
namespace {

int run_command_line(std::vector<std::string> words) {
  set_own_sources(numeric_sources());
  if (words.size() == 2 && words[0] == "serve" && words[1] == "--cuda") {
    open_cuda_plugin();
    words.pop_back();
  }
  const std::map<std::string, int (*)(const std::vector<std::string>&)> commands = {
      {"bench", run_bench},
      {"encode", run_encode},
      {"export", run_export},
      {"generate", run_generate},
      {"import", run_import}};
  if (!words.empty() && commands.contains(words[0]))
    return commands.at(words[0])({words.begin() + 1, words.end()});
  if (const auto code = run_worker_command(words, numeric_build())) return *code;
  if (words == std::vector<std::string>{"version"}) {
    std::cout << "rethink-worker " << RETHINK_VERSION << "\nworker " << own_build_id()
              << "\nnumeric build " << numeric_build() << "\n";
    return 0;
  }
  throw ConfigError(
      "wrong-arguments",
      "usage: rethink-worker serve [--cuda] | attempt REQUEST | schema [--out FILE] | version | "
      "bench WHAT | encode DIR [--in FILE] --out FILE | import DIR --out DIR | export WEIGHTS "
      "--out "
      "DIR | generate WEIGHTS|DIR [--in FILE]");
}

}  // namespace
}  // namespace rethink

int main(int count, char** words) {
  return rethink::run_main(count, words, rethink::run_command_line);
}
