// `rethink score WORD ...`: computes the official metrics of prediction files, as one JSON object;
// and exchanges predictions and scores with a server that alone has the labels.
#include <fmt/format.h>

#include <algorithm>

#include "app/driver/score/scorer.h"
#include "core/error.h"
#include "core/json.h"

namespace rethink {
namespace {

class Score : public Command {
 public:
  std::string positional() const override {
    std::vector<std::string> usages;
    for (const std::string& name : scorers().names())
      usages.push_back(name + " " + scorers().make(name, Json::object())->positional());
    return joined(usages, " | ");
  }

  bool needs_folders() const override { return true; }

  void declare(po::options_description& options) const override {
    for (const std::string& name : scorers().names())
      scorers().make(name, Json::object())->declare(options);
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> words = arguments_of(given);
    const std::vector<std::string> known = scorers().names();
    if (words.empty() || std::ranges::find(known, words[0]) == known.end()) {
      throw ConfigError(
          "wrong-arguments",
          fmt::format("rethink score: got {}, expected one of {}",
                      words.empty() ? "nothing" : "'" + words[0] + "'", joined(known)));
    }
    require_own_options(words[0], given);
    return scorers().make(words[0], Json::object())->run(context, words, given);
  }

 private:
  /// Refuses options of other scorers, which would change nothing.
  static void require_own_options(const std::string& word, const po::variables_map& given) {
    po::options_description own;
    scorers().make(word, Json::object())->declare(own);
    for (const std::string& other : scorers().names()) {
      po::options_description others;
      scorers().make(other, Json::object())->declare(others);
      for (const auto& option : others.options()) {
        const std::string& name = option->long_name();
        if (given.count(name) && !given[name].defaulted() && !own.find_nothrow(name, false)) {
          throw ConfigError(
              "wrong-arguments",
              fmt::format("rethink score {} does not take --{}; {} does", word, name, other));
        }
      }
    }
  }
};

RETHINK_REGISTERED = add_command<Score>(
    "score", "score prediction files by official metrics, as JSON; exchange scores with a server");

}  // namespace
}  // namespace rethink
