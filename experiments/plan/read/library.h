// Finds sweeps, presets, tables, figures and claims by name. Each is a YAML file (.yaml or .yml),
// and its name is its path below a folder of its kind, without the ending:
// PATH/plots/tables/bet/table2.yaml is the table bet/table2. A sweep may also be in PATH itself:
// PATH/mine.yaml is the sweep mine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rethink {

bool has_yaml_ending(const std::filesystem::path& file);

/// Returns FOLDER/NAME.yaml or FOLDER/NAME.yml; "" if neither exists. Throws ConfigError if both
/// exist.
std::filesystem::path yaml_file(const std::filesystem::path& folder, const std::string& name);

/// The files of one kind in a search path.
class Library {
 public:
  /// `kind` is sweeps, presets, tables, figures or claims. For each of `paths`, the search covers
  /// PATH/experiments/KIND (for tables, figures and claims PATH/plots/KIND), then PATH/KIND, for a
  /// user's own folder.
  Library(const std::string& kind, const std::vector<std::filesystem::path>& paths);

  /// The folders in search order. Some may not exist.
  const std::vector<std::filesystem::path>& folders() const& { return folders_; }
  void folders() const&& = delete;  // the library would be destroyed
  /// Returns every name, sorted; for a preset GROUP/NAME, as in finetune/a3.
  std::vector<std::string> names() const;
  bool has(const std::string& name) const;
  /// Returns the file of that name in the first folder that has it; "" if none has. Throws
  /// ConfigError if a folder has two.
  std::filesystem::path find(const std::string& name) const;
  /// Returns the name by which find() returns `file`; nothing if find() returns another file for its
  /// path below a folder, or if the file is in none of the folders.
  std::optional<std::string> name_of(const std::filesystem::path& file) const;
  /// Returns the file that a user means by a path or a name. Throws ConfigError with the existing
  /// names.
  std::filesystem::path file(const std::string& written) const;

 private:
  struct Kind;
  static const Kind& kind_called(const std::string& name);

  const Kind& kind_;
  std::vector<std::filesystem::path> folders_;
  std::vector<std::filesystem::path>
      flat_folders_;  // folders whose own files are of this kind if their keys say so
};

}  // namespace rethink
