// `rethink import DIR --out DIR`: checks a BERT or DistilBERT of transformers and writes it for
// `needs: {init: {file: DIR}}`.
#include "app/driver/command.h"
#include "core/error.h"

namespace rethink {
namespace {

class ImportCommand : public Command {
 public:
  std::string positional() const override { return "DIR --out NEW_DIR"; }
  void declare(po::options_description& options) const override {
    options.add_options()("layers",
                          po::value<std::string>()->value_name("LAYERS")->default_value(""),
                          "layers to keep, counted from 1: 2,4,6")(
        "distilbert", po::bool_switch(),
        "write DistilBERT's format: no token types, no pooler; nothing is distilled");
  }

  std::string more_help(const CommandContext&) const override {
    return "DIR has config.json, model.safetensors and vocab.txt (or tokenizer.json) of a BERT or "
           "DistilBERT.\nA stage takes NEW_DIR as `needs: {init: {file: NEW_DIR}}`, `encode` reads "
           "it, and transformers\nloads it.\n\n";
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> folders = arguments_of(given);
    if (folders.size() != 1)
      throw ConfigError("wrong-arguments", "import: give one folder of a BERT or DistilBERT");
    if (given["out"].defaulted())
      throw ConfigError("missing-argument", "import: give --out NEW_DIR");
    std::vector<std::string> words = {"import", "--out", context.out.string()};
    const std::string layers = given["layers"].as<std::string>();
    if (!layers.empty()) words.insert(words.end(), {"--layers", layers});
    if (given["distilbert"].as<bool>()) words.push_back("--distilbert");
    words.insert(words.end(), {"--", folders[0]});
    become_worker(context, words);
  }
};

RETHINK_REGISTERED = add_command<ImportCommand>(
    "import", "import a BERT or DistilBERT of transformers, for `init: {file: DIR}`");

}  // namespace
}  // namespace rethink
