// The interface of scorers: one file per word of `rethink score WORD` in words/, named as the word.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "app/driver/command.h"
#include "core/json_fwd.h"

namespace rethink {

class Scorer {
 public:
  virtual ~Scorer() = default;
  /// Returns the arguments after the word: "--ref F".
  virtual std::string positional() const = 0;
  /// Declares its own options. Several scorers may have the same option (declare_once).
  virtual void declare(po::options_description& options) const = 0;
  /// Scores and returns an exit code. `words` are the arguments; the first is the scorer's name.
  /// Throws ConfigError if a file is invalid.
  virtual int run(const CommandContext& context, const std::vector<std::string>& words,
                  const po::variables_map& given) const = 0;
};

/// A scorer of a file of predictions against a file with the correct answers.
class FileScorer : public Scorer {
 public:
  std::string positional() const override { return fmt::format("--ref F --{} F", predicted()); }
  /// Declares --ref and --pred (or predicted()). A scorer with more options overrides this
  /// function, and calls it first.
  void declare(po::options_description& options) const override;
  int run(const CommandContext& context, const std::vector<std::string>& words,
          const po::variables_map& given) const override;

 protected:
  /// Returns the option that names the file of predictions, by the usual name for such scorers.
  virtual const char* predicted() const { return "pred"; }
  /// Returns names of metrics and their values. `scorer` is its own word.
  virtual Json score(const CommandContext& context, const std::string& scorer,
                     const po::variables_map& given) const = 0;
};

using ScorerRegistry = Registry<Scorer>;
ScorerRegistry& scorers();

template <typename S>
bool add_scorer(const std::string& name, const std::string& summary) {
  return scorers().add<NoFields>({.name = name, .summary = summary},
                                 [](const NoFields&) { return std::make_shared<S>(); });
}

/// Declares an option once, although several scorers have it. `value` is the placeholder of its value in the
/// help: "FILE".
void declare_once(po::options_description& options, const std::string& name,
                  const std::string& value, const std::string& what);

/// Returns the option's value. Throws ConfigError if it was not given: "rethink score glue needs --pred".
std::string require_option(const po::variables_map& given, const std::string& scorer,
                           const std::string& name);
/// Returns the same for a file with predictions; - is standard input. Also throws ConfigError if a
/// trial left the file and the file is damaged.
std::string require_predictions(const po::variables_map& given, const std::string& scorer,
                                const std::string& name);

/// Returns the option's value, a finite number. Requires: it was given.
double number_of(const po::variables_map& given, const std::string& name);

/// Writes a note to standard error if a file is scored against itself.
void note_same_file(const std::filesystem::path& reference, const std::filesystem::path& predicted);

/// Returns a number as JSON; null if it is not defined.
Json number_or_null(double value);

}  // namespace rethink
