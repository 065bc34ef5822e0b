// Keeps a command from writing the output of two tables, or of two figures, to the same files.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace rethink {

/// Which file of tables or figures owns a name: what `table:` or `figure:` says. Of several files in
/// the search path the one that lies where its name says (plots/figures/bet/figure3.yaml for
/// bet/figure3) owns it, else the first; so the owner does not depend on what a command draws.
class SpecNames {
 public:
  /// `kind` is tables or figures; `key`, which names a spec, is table or figure.
  SpecNames(const std::string& kind, const std::string& key,
            const std::vector<std::filesystem::path>& paths);

  /// Throws UnusableName, with both files, when another file owns the name of this one. A file whose
  /// name cannot be read passes: reading the spec says why.
  void take(const std::filesystem::path& file);

 private:
  std::string key_;
  std::map<std::filesystem::path, std::filesystem::path> owners_;  // by normalized name
};

}  // namespace rethink
