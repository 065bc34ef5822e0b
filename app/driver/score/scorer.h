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
  /// Arguments behind the word: "--ref F".
  virtual std::string positional() const = 0;
  /// Declares its own options; several may have the same (declare_once).
  virtual void declare(po::options_description& options) const = 0;
  /// `words`: the arguments, its own word first. Returns an exit code. Throws ConfigError when a file is
  /// not what it should be.
  virtual int run(const CommandContext& context, const std::vector<std::string>& words,
                  const po::variables_map& given) const = 0;
};

/// A scorer of a file of predictions against a file with the correct answers.
class FileScorer : public Scorer {
 public:
  std::string positional() const override { return fmt::format("--ref F --{} F", predicted()); }
  /// Declares --ref and --pred, or what it is called here. A scorer with more options declares them,
  /// too.
  void declare(po::options_description& options) const override;
  int run(const CommandContext& context, const std::vector<std::string>& words,
          const po::variables_map& given) const override;

 protected:
  /// The option that names the file of predictions: what scorers of its kind call it elsewhere.
  virtual const char* predicted() const { return "pred"; }
  /// Names of metrics and their values. `scorer`: its own word.
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

/// Declares an option that several scorers may have, once.
void declare_once(po::options_description& options, const std::string& name,
                  const std::string& what);

/// The option's value. Throws ConfigError when it was not given: "rethink score glue needs --pred".
std::string require_option(const po::variables_map& given, const std::string& scorer,
                           const std::string& name);
/// The same of a file with predictions; - is standard input. Throws ConfigError, too, where a trial left the file and the
/// file is damaged.
std::string require_predictions(const po::variables_map& given, const std::string& scorer,
                                const std::string& name);

/// The option's value, a finite number. Requires: it was given.
double number_of(const po::variables_map& given, const std::string& name);

/// Says on stderr that a file was scored against itself, where both names are of one file.
void note_same_file(const std::filesystem::path& reference, const std::filesystem::path& predicted);

/// Returns a number as JSON; null if it is not defined.
Json number_or_null(double value);

}  // namespace rethink
