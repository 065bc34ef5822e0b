// Files of sweeps, tables, figures and claims by the names that a command line gives.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "plots/spec_reader.h"

namespace rethink {

/// Returns the path from the current folder if the file is below it, else `place`.
std::string seen_from_here(const std::filesystem::path& place);

/// Returns a sweep's file, as Library::file. If `name` is a table, figure or file of claims, the
/// error names the kind and the command to type, with `store` and `options` (" --profile smoke").
/// If only a sweep of the store has the name, the error has the path of its file.
std::filesystem::path sweep_file_named(const std::string& name,
                                       const std::vector<std::filesystem::path>& paths,
                                       const std::filesystem::path& store,
                                       const std::string& options = "");

/// Returns the file of a table, figure or set of claims. If `name` is a sweep or a spec of another
/// kind, the error names the kind and the command to type. If only a sweep of the store has the name,
/// the error has the path of its file.
std::filesystem::path spec_file_named(const std::string& kind, const std::string& name,
                                      const std::vector<std::filesystem::path>& paths,
                                      const std::filesystem::path& store,
                                      const std::string& options = "");

/// Returns the sweeps that a file of `kind` (tables, figures, claims) names; for claims those of
/// their tables. Throws ConfigError if a file cannot be read.
std::vector<Word> sweeps_of_spec(const std::string& kind, const std::filesystem::path& file,
                                 const std::vector<std::filesystem::path>& paths);

/// Throws ConfigError if `name` means a file ("./mine.yaml") that does not exist. `known` are the
/// known names of `kind`.
void require_file(const std::string& name, const std::string& kind,
                  const std::vector<std::string>& known);

/// Prevents a command from writing the output of two tables, or of two figures, to the same files.
class SpecNames {
 public:
  /// `kind` is tables or figures.
  SpecNames(const std::string& kind, const std::vector<std::filesystem::path>& paths);

  /// Throws UnusableName, with both files, if another file owns the name of this file. A file whose
  /// name cannot be read passes; reading the spec reports why.
  void take(const std::filesystem::path& file);

  /// Throws UnusableName if a file of the search path owns `name`, which `by`, a sweep or a new file, would also have.
  void require_unused(const std::string& name, const std::filesystem::path& by) const;

  /// Returns the file of the search path that owns `name`; empty if there is none.
  std::filesystem::path file_of(const std::string& name) const;

 private:
  std::string key_;
  std::map<std::filesystem::path, std::filesystem::path> owners_;  // by normalized name
};

}  // namespace rethink
