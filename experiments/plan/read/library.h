// Finds sweeps, presets, tables, figures and claims by name. Each is a YAML file (.yaml or .yml),
// and its name is its path below a folder of its kind, without the ending:
// PATH/plots/tables/bet/table2.yaml is the table bet/table2. A sweep may also lie in PATH itself:
// PATH/mine.yaml is mine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

bool has_yaml_ending(const std::filesystem::path& file);

/// FOLDER/NAME.yaml or FOLDER/NAME.yml; empty where there is none. Throws ConfigError where there are
/// both.
std::filesystem::path yaml_file(const std::filesystem::path& folder, const std::string& name);

/// The files of one kind below a search path.
class Library {
 public:
  /// `kind`: sweeps, presets, tables, figures or claims. They are looked for in each of `paths`, in
  /// PATH/experiments/KIND (of tables, figures and claims PATH/plots/KIND), then in PATH/KIND, for a
  /// folder of somebody's own.
  Library(const std::string& kind, const std::vector<std::filesystem::path>& paths);

  /// In the order of the search; not all need be there.
  const std::vector<std::filesystem::path>& folders() const& { return folders_; }
  void folders() const&& = delete;  // the library would be gone
  /// Every name, sorted; of a preset GROUP/NAME, as in finetune/a3.
  std::vector<std::string> names() const;
  bool has(const std::string& name) const;
  /// The first folder's file of that name; empty where there is none. Throws ConfigError where a
  /// folder has two.
  std::filesystem::path find(const std::string& name) const;
  /// What a person wrote: the path of a file, or a name. Throws ConfigError, with what there is.
  std::filesystem::path file(const std::string& written) const;

 private:
  struct Kind;
  static const Kind& kind_called(const std::string& name);

  const Kind& kind_;
  std::vector<std::filesystem::path> folders_;
  std::vector<std::filesystem::path>
      flat_folders_;  // whose own files are of this kind where their keys say so
};

}  // namespace rethink
