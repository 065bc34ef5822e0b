// What `rethink score KIND` can score: one file per kind in scorers/, named as the kind.
#pragma once

#include <string>

#include "app/driver/command.h"

namespace rethink {

class Scorer {
 public:
  virtual ~Scorer() = default;
  /// Declares the scorer's own options beside --ref.
  virtual void declare(po::options_description& options) const = 0;
  /// Names of metrics and their values. Throws ConfigError when a file is not what it should be.
  virtual Json score(const std::filesystem::path& reference,
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

/// A number as JSON, null where it is not defined.
Json number_or_null(double value);

}  // namespace rethink
