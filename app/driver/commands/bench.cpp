// `rethink bench`: benchmarks that need LibTorch, which the worker has.
#include "app/driver/command.h"
#include "core/system/process.h"

namespace rethink {
namespace {

class Bench : public Command {
 public:
  std::string positional() const override { return "[WHAT [--NAME VALUE]...]"; }
  bool forwards_words() const override { return true; }
  void declare(po::options_description&) const override {}

  std::string more_help(const CommandContext& context) const override {
    ProgramRun help;
    help.words = {(context.programs / "rethink-worker").string(), "bench", "--help"};
    const ProgramResult said = run_program(help);
    return (said.status == 0 ? said.output : "no options known: " + said.error) + "\n";
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    std::vector<std::string> words = arguments_of(given);
    words.insert(words.begin(), "bench");
    become_worker(context, words);
  }
};

RETHINK_REGISTERED = add_command<Bench>(
    "bench", "time operators and training steps: backend, device, versions, median and spread");

}  // namespace
}  // namespace rethink
