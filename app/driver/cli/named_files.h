// Files of sweeps, tables, figures and claims by the names that a command line gives.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "plots/spec_reader.h"

namespace rethink {

/// A sweep as Library::file finds it. Of a table, figure or file of claims the error says so, and what to type on
/// `store`.
std::filesystem::path sweep_file_named(const std::string& name,
                                       const std::vector<std::filesystem::path>& paths,
                                       const std::filesystem::path& store);

/// A table, figure or file of claims likewise. Of a sweep, or of another kind of spec, the error says so, and what to type.
std::filesystem::path spec_file_named(const std::string& kind, const std::string& name,
                                      const std::vector<std::filesystem::path>& paths,
                                      const std::filesystem::path& store);

/// The sweeps that a file of `kind` (tables, figures, claims) names; of claims those of their tables. Throws ConfigError
/// where a file cannot be read.
std::vector<Word> sweeps_of_spec(const std::string& kind, const std::filesystem::path& file,
                                 const std::vector<std::filesystem::path>& paths);

/// Throws ConfigError where `name` is meant as a file ("./mine.yaml") and there is none. `known`: what
/// names there are beside files, of what `kind` says.
void require_file(const std::string& name, const std::string& kind,
                  const std::vector<std::string>& known);

/// Keeps a command from writing the output of two tables, or of two figures, to the same files.
/// Which file of tables or figures owns a name: what `table:` or `figure:` says. Of several files in
/// the search path the one that lies where its name says (plots/figures/bet/figure3.yaml for
/// bet/figure3) owns it, else the first; so the owner does not depend on what a command draws.
class SpecNames {
 public:
  /// `kind` is tables or figures.
  SpecNames(const std::string& kind, const std::vector<std::filesystem::path>& paths);

  /// Throws UnusableName, with both files, when another file owns the name of this one. A file whose
  /// name cannot be read passes: reading the spec says why.
  void take(const std::filesystem::path& file);

  /// Throws UnusableName when a file of the search path owns `name`: `by`, a sweep or a new file, would have it too.
  void require_unused(const std::string& name, const std::filesystem::path& by) const;

 private:
  std::string key_;
  std::map<std::filesystem::path, std::filesystem::path> owners_;  // by normalized name
};

}  // namespace rethink
