// `rethink encode MODEL_DIR [--in FILE] --out FILE`: writes the hidden states of lines of text.
#include "app/driver/command.h"
#include "core/error.h"

namespace rethink {
namespace {

class Encode : public Command {
 public:
  std::string positional() const override { return "MODEL_DIR --out FILE.safetensors"; }

  void declare(po::options_description& options) const override {
    options.add_options()(
        "in", po::value<std::string>()->value_name("FILE")->default_value(""),
        "file of lines, with a tab between the texts of a pair; - (default): standard input");
  }

  std::string more_help(const CommandContext&) const override {
    return "MODEL_DIR is a BERT folder of transformers, or a folder that `import` or `export` "
           "made. FILE gets\ninput_ids, token_type_ids, attention_mask, hidden_states.0 (the "
           "embeddings) to hidden_states.L and\npooler_output.\n\n";
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> models = arguments_of(given);
    if (models.size() != 1)
      throw ConfigError("wrong-arguments", "encode: give one folder of a model");
    if (given["out"].defaulted())
      throw ConfigError("missing-argument", "encode: give --out FILE.safetensors");
    std::vector<std::string> words = {"encode", "--out", context.out.string()};
    const std::string in = given["in"].as<std::string>();
    if (!given["in"].defaulted()) {
      if (in.empty()) throw ConfigError("invalid-argument", "--in: got '', expected a file");
      if (in != "-") words.insert(words.end(), {"--in", in});
    }
    words.insert(words.end(), {"--", models[0]});
    become_worker(context, words);
  }
};

RETHINK_REGISTERED = add_command<Encode>(
    "encode", "write the hidden states of a BERT for lines of text, as safetensors");

}  // namespace
}  // namespace rethink
