// `rethink bench`: benchmarks that need LibTorch, which the worker has.
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "app/driver/command.h"
#include "core/error.h"
#include "core/process.h"

namespace rethink {
namespace {

class Bench : public Command {
 public:
  std::string positional() const override { return "[WHAT [--NAME INTEGER]...]"; }
  bool passes_words_on() const override { return true; }
  void declare(po::options_description&) const override {}

  std::string more_help(const CommandContext& context) const override {
    ProgramRun help;
    help.words = {(context.programs / "rethink-worker").string(), "bench", "--help"};
    const ProgramResult said = run_program(help);
    return (said.status == 0 ? said.output : "no options known: " + said.error) + "\n";
  }

  /// The worker takes this process's place: its exit code is the command's.
  int run(const CommandContext& context, const po::variables_map& given) override {
    std::vector<std::string> words = arguments_of(given);
    const std::string worker = (context.programs / "rethink-worker").string();
    words.insert(words.begin(), {worker, "bench"});
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execv(worker.c_str(), pointers.data());
    throw MachineError("cannot start " + worker + ": " + std::strerror(errno));
  }
};

const bool registered = add_command<Bench>(
    "bench", "benchmarks that need LibTorch: backend, device, versions, median and spread");

}  // namespace
}  // namespace rethink
