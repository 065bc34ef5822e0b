#include "app/driver/score/scorer.h"

#include <fmt/format.h>

#include <iostream>
#include <optional>

#include "app/driver/cli/note_report.h"
#include "app/driver/show/trials/trial_artifacts.h"
#include "core/error.h"
#include "core/json.h"
#include "plots/spec_reader.h"

namespace rethink {

ScorerRegistry& scorers() {
  static ScorerRegistry registry("scorer", "app/driver/score/words");
  return registry;
}

void declare_once(po::options_description& options, const std::string& name,
                  const std::string& value, const std::string& what) {
  if (options.find_nothrow(name, false)) return;
  options.add_options()(name.c_str(), po::value<std::string>()->value_name(value), what.c_str());
}

std::string require_option(const po::variables_map& given, const std::string& scorer,
                           const std::string& name) {
  if (!given.count(name))
    throw ConfigError("missing-argument", fmt::format("rethink score {} needs --{}", scorer, name));
  return given[name].as<std::string>();
}

std::string require_predictions(const po::variables_map& given, const std::string& scorer,
                                const std::string& name) {
  std::string file = require_option(given, scorer, name);
  if (file == "-") return "/dev/stdin";
  require_intact_if_recorded(file);
  return file;
}

double number_of(const po::variables_map& given, const std::string& name) {
  const std::string text = given[name].as<std::string>();
  if (const std::optional<double> number = parse_number(text)) return *number;
  throw ConfigError("invalid-argument",
                    fmt::format("--{}: got '{}', expected a number", name, text));
}

void FileScorer::declare(po::options_description& options) const {
  declare_once(options, "ref", "FILE", "file with the correct answers");
  declare_once(options, predicted(), "FILE", "file with predictions");
}

int FileScorer::run(const CommandContext& context, const std::vector<std::string>& words,
                    const po::variables_map& given) const {
  if (words.size() != 1) {
    throw ConfigError(
        "wrong-arguments",
        fmt::format("rethink score {}: got '{}', expected only options", words[0], words[1]));
  }
  std::cout << score(context, words[0], given).dump() << "\n";
  return kDone;
}

void note_same_file(const std::filesystem::path& reference,
                    const std::filesystem::path& predicted) {
  std::error_code unknown;
  if (!std::filesystem::equivalent(reference, predicted, unknown)) return;
  print_note(
      Note("same-file",
           fmt::format("{} was scored against itself: --ref and the predictions are one file",
                       reference.string())));
}

Json number_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

}  // namespace rethink
