// `rethink generate TRIAL|DIR`: generates text with a language model, or translates lines.
#include <fmt/format.h>

#include "app/driver/command.h"
#include "app/driver/show/trials/trial_artifacts.h"
#include "app/driver/show/trials/trial_weights.h"
#include "core/error.h"
#include "core/message.h"
#include "results/query/trial_prefix.h"
#include "results/store/store.h"

namespace rethink {
namespace {

class Generate : public Command {
 public:
  std::string positional() const override { return "TRIAL|DIR"; }
  bool needs_folders() const override { return true; }
  bool prints_data(const po::variables_map&) const override { return true; }

  void declare(po::options_description& options) const override {
    options.add_options()("prompt", po::value<std::vector<std::string>>()->value_name("TEXT"),
                          "text to continue or to translate; may be repeated")(
        "in", po::value<std::string>()->value_name("FILE")->default_value("-"),
        "file of texts, one per line; - (default): standard input")(
        "seed", po::value<std::string>()->value_name("N")->default_value("0"),
        "seed of a language model's draws; equal seeds give equal text")(
        "tokens", po::value<std::string>()->value_name("N"),
        "at most this many new tokens; by default up to the length of the training sequences")(
        "temperature", po::value<double>()->value_name("X")->default_value(1.0),
        "below 1: likely tokens become more likely; 0: always the most likely token");
  }

  std::string more_help(const CommandContext&) const override {
    return "TRIAL is a trial of job lm or mt that kept its weights. DIR is a folder that `rethink "
           "export` made\nof such a trial. Each line is answered by one line: a language model "
           "continues the line, and a\ntranslation model translates it by the beam search of the "
           "trial's own options.\n\n";
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> models = arguments_of(given);
    if (models.size() != 1)
      throw ConfigError("wrong-arguments",
                        "generate: give one trial, or a folder that `rethink export` made");
    std::vector<std::string> words = {"generate"};
    for (const std::string& word : choices(given)) words.push_back(word);
    if (std::filesystem::is_directory(models[0])) {
      words.insert(words.end(), {"--", models[0]});
    } else {
      const std::string weights = weights_named(context, models[0]);
      for (const std::string& word : data_words(context)) words.push_back(word);
      words.insert(words.end(), {"--", weights});
    }
    become_worker(context, words);
  }

 private:
  static std::vector<std::string> choices(const po::variables_map& given) {
    std::vector<std::string> words;
    for (const auto& [name, allowed] :
         {std::pair("seed", WholeNumbers{}), std::pair("tokens", WholeNumbers{1, 1'000'000})}) {
      if (const auto number = number_given(given, name, allowed))
        words.insert(words.end(), {fmt::format("--{}", name), fmt::format("{}", *number)});
    }
    const double temperature = given["temperature"].as<double>();
    if (!(temperature >= 0 && temperature <= 100))
      throw ConfigError(
          "invalid-argument",
          fmt::format("--temperature: got {}, expected a number from 0 to 100", temperature));
    words.insert(words.end(), {"--temperature", fmt::format("{}", temperature)});
    const std::string in = given["in"].as<std::string>();
    if (given.count("prompt") && !given["in"].defaulted())
      throw ConfigError("conflicting-arguments", "--prompt and --in: give one of them");
    if (given.count("prompt")) {
      for (const std::string& prompt : given["prompt"].as<std::vector<std::string>>()) {
        // In one word with the option, a prompt may begin with a dash; an empty prompt must be its
        // own word.
        if (prompt.empty())
          words.insert(words.end(), {"--prompt", ""});
        else
          words.push_back("--prompt=" + prompt);
      }
    } else if (in != "-") {
      words.push_back("--in=" + in);
    }
    return words;
  }

  static std::string weights_named(const CommandContext& context, const std::string& name) {
    Store store(context.store, Store::Access::read);
    const std::string id = trial_with_prefix(store, name);
    const auto files = weights_of_trial(context, id);
    const auto found = files.find(kDecoderWeights);
    if (found == files.end())
      throw ConfigError(
          "wrong-weights",
          fmt::format("trial {} has no weights of a language or translation model, and only these "
                      "models write text; `rethink export` and `rethink encode` are for encoders",
                      id));
    require_intact(found->second, context.store);
    return found->second.path.string();
  }
};

RETHINK_REGISTERED = add_command<Generate>(
    "generate", "generate text with a trial's language model, or translate lines");

}  // namespace
}  // namespace rethink
