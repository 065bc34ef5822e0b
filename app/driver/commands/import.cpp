// `rethink import DIR --out DIR`: a BERT of transformers becomes what sweeps begin with.
#include "app/driver/command.h"
#include "app/driver/worker_program.h"
#include "core/error.h"

namespace rethink {
namespace {

class Import : public Command {
 public:
  std::string positional() const override { return "DIR --out NEW_DIR"; }
  void declare(po::options_description&) const override {}

  std::string more_help(const CommandContext&) const override {
    return "DIR holds config.json, model.safetensors and vocab.txt of a BERT. NEW_DIR is what a "
           "stage takes as\n`needs: {init: {file: NEW_DIR}}`, `encode` reads and transformers "
           "loads.\n\n";
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> folders = arguments_of(given);
    if (folders.size() != 1) throw ConfigError("import: give one folder of a BERT");
    if (given["out"].defaulted()) throw ConfigError("import: give --out NEW_DIR");
    become_worker(context, {"import", "--out", context.out.string(), "--", folders[0]});
  }
};

const bool registered = add_command<Import>(
    "import", "check a BERT folder of transformers and write it for `init: {file: DIR}`");

}  // namespace
}  // namespace rethink
