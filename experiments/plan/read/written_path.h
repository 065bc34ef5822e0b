// Resolves relative paths of sweeps, presets and --set: beside the file that writes the path (for
// --set and pipes: in the current folder), else in the folder of datasets.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/config/note.h"
#include "core/config/schema.h"
#include "core/json.h"
#include "core/yaml/yaml.h"

namespace rethink {

/// The kind of the plug-ins that are datasets.
inline constexpr const char* kDatasetRegistry = "dataset";

struct Need;         // experiments/plan/read/stage_spec.h
struct PlanChoices;  // experiments/plan/plan.h

/// Returns ", and neither does /home/me/corpus.txt" for a file that is missing in the folder `data`: the path beside
/// the file that writes it at `where`, which was tried first. Returns "" if both paths are equal.
std::string missing_beside(const std::filesystem::path& missing, const std::filesystem::path& data,
                           const Position& where);

class WrittenPaths {
 public:
  WrittenPaths(const PlanChoices& choices, const Schema& schema);

  /// Resolves, in `config` made from `given`, the options of the job's data sets that name files
  /// (core/facts/dataset_facts.h). A file beside the sweep becomes an absolute path; others stay
  /// relative to the folder of data sets. The data of a program become absolute in both cases.
  void resolve(const Yaml& given, const PluginSchema& job, Json& config);

  /// Resolves the weights of a need: beside the file that writes the path, or in the folder of data sets, whether they
  /// exist or not. For missing weights it sets their published facts (Need::published).
  void resolve(Need& need);

  /// Returns a note for each path for which two files exist: which file is used.
  const std::vector<Note>& notes() const { return notes_; }

 private:
  /// Returns an absolute path, or the written path if nothing is beside the file that writes it.
  std::filesystem::path beside(const std::filesystem::path& written, const Position& where);
  void resolve_value(const Yaml& given, Json& value);
  void resolve_data_of_program(const Yaml& given, Json& config);

  const std::filesystem::path data_;
  const std::vector<std::filesystem::path>& paths_;
  const Schema& schema_;
  std::map<std::pair<std::string, std::string>, std::filesystem::path> found_;  // by file and path
  std::vector<Note> notes_;
};

}  // namespace rethink
