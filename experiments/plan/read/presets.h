// Named building blocks: `preset: NAME` in a map of options inserts
// experiments/presets/<group>/NAME.yaml below the map's own options.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experiments/plan/read/library.h"
#include "experiments/plan/read/overlay.h"

namespace rethink {

/// Preset files as written, each parsed once for a plan.
class PresetFiles {
 public:
  /// Looks in PATH/experiments/presets and PATH/presets of each of `paths`, in order.
  explicit PresetFiles(const std::vector<std::filesystem::path>& paths)
      : library_("presets", paths) {}

  struct Preset {
    Yaml options;
    Problems problems;  // of its text
  };
  /// Returns a preset; null if there is no such file.
  const Preset* find(const std::string& group, const std::string& name);
  std::vector<std::string> names(const std::string& group) const;

 private:
  Library library_;
  std::map<std::pair<std::string, std::string>, Preset> read_;
};

/// Inserts presets into options. Adds the problems of each preset's text once.
class Presets {
 public:
  Presets(PresetFiles& files, const Schema& schema) : files_(files), schema_(schema) {}

  /// Replaces every `preset` key in `given` by the named preset, merged under the map that contains
  /// the key. The group is the map's own key ("model"); for the outermost map it is `group`. A
  /// preset may name another preset of its group, and presets of inner maps. Unknown names and
  /// cycles are problems.
  void expand(Yaml& given, const std::string& group, const OptionBlock& block, Problems& problems);

 private:
  void expand_field(Yaml& given, const std::string& group, const Field& field, Problems& problems);
  void expand_inside(Yaml& given, const OptionBlock& block, Problems& problems);
  void expand_one(Yaml& map, const std::string& group, const OptionBlock& block,
                  Problems& problems);
  /// Returns null, after adding the problem, if it does not exist.
  const Yaml* find(const std::string& group, const Yaml& name, Problems& problems);

  PresetFiles& files_;
  const Schema& schema_;
  std::set<const PresetFiles::Preset*> said_;  // whose problems were added
};

}  // namespace rethink
