// A rethink-worker without LibTorch. It has only the jobs noop and select, starts in a millisecond
// and runs under sanitizers.
#include "core/error.h"
#include "experiments/attempt/worker_main.h"

int main(int count, char** words) {
  return rethink::run_main(count, words, [](const std::vector<std::string>& given) {
    if (const auto code = rethink::run_worker_command(given)) return *code;
    throw rethink::ConfigError("wrong-arguments",
                               "usage: noop_worker serve | attempt REQUEST | schema [--out FILE]");
  });
}
