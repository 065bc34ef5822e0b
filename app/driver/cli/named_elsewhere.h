// Reports that a name given as a sweep is really a table, or the reverse.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

/// find_sweep. Of a table, figure or file of claims the error says so, and what to type on
/// `store`.
std::filesystem::path sweep_file_named(const std::string& name,
                                       const std::vector<std::filesystem::path>& paths,
                                       const std::filesystem::path& store);

/// find_spec. Of a sweep, or of another kind of spec, the error says so, and what to type.
std::filesystem::path spec_file_named(const std::string& kind, const std::string& name,
                                      const std::vector<std::filesystem::path>& paths,
                                      const std::filesystem::path& store);

/// Throws ConfigError where `name` is meant as a file ("./mine.yaml") and there is none. `known`: what
/// names there are beside files, of what `kind` says.
void require_file(const std::string& name, const std::string& kind,
                  const std::vector<std::string>& known);

}  // namespace rethink
