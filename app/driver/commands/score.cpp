// `rethink score KIND --ref F ...`: the official metrics of predictions in files, as one JSON object.
#include <fmt/format.h>

#include <iostream>

#include "app/driver/scorers.h"
#include "core/error.h"

namespace rethink {
namespace {

class Score : public Command {
 public:
  std::string positional() const override { return joined(scorers().names(), "|"); }

  void declare(po::options_description& options) const override {
    options.add_options()("ref", po::value<std::string>(), "file with what is right");
    for (const std::string& name : scorers().names())
      scorers().make(name, Json::object())->declare(options);
  }

  int run(const CommandContext&, const po::variables_map& given) override {
    const std::vector<std::string> words = arguments_of(given);
    if (words.size() != 1) {
      throw ConfigError(fmt::format("rethink score: got {}, expected one of {}",
                                    words.empty() ? "nothing" : joined(words, " "),
                                    joined(scorers().names())));
    }
    const auto scorer = scorers().make(words[0], Json::object());
    std::cout << scorer->score(require_option(given, words[0], "ref"), given).dump() << "\n";
    return kDone;
  }
};

const bool registered =
    add_command<Score>("score", "official metrics of prediction files, as JSON");

}  // namespace
}  // namespace rethink
