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
#include "core/config/yaml.h"
#include "core/json.h"

namespace rethink {

/// The kind of the plug-ins that are datasets.
inline constexpr const char* kDatasetRegistry = "dataset";

struct Need;         // experiments/plan/read/stage_spec.h
struct PlanChoices;  // experiments/plan/plan.h

/// ", and neither does /home/me/corpus.txt": of a file that is missing in the folder `data`, the place beside what writes it,
/// at `where`, which was looked at first; "" where that is no other.
std::string missing_beside(const std::filesystem::path& missing, const std::filesystem::path& data,
                           const Position& where);

class WrittenPaths {
 public:
  WrittenPaths(const PlanChoices& choices, const Schema& schema);

  /// In `config`, made from `given`: the options of the job's data sets that name files
  /// (core/facts/dataset_facts.h). One that is beside what writes it is absolute afterwards, the others lead from the
  /// folder of data sets. The data of a program are absolute in either case.
  void lead(const Yaml& given, const PluginSchema& job, Json& config);

  /// The weights of a need, which then are beside what writes them or in the folder of data sets, there or
  /// not. Of those that are missing: what is published of them (Need::published).
  void lead(Need& need);

  /// Returns which of two existing files a path means, each once.
  const std::vector<Note>& notes() const { return notes_; }

 private:
  /// Returns an absolute path, or the written path if nothing is beside the file that writes it.
  std::filesystem::path beside(const std::filesystem::path& written, const Position& where);
  void lead_value(const Yaml& given, Json& value);
  void lead_data_of_program(const Yaml& given, Json& config);

  const std::filesystem::path data_;
  const std::vector<std::filesystem::path>& paths_;
  const Schema& schema_;
  std::map<std::pair<std::string, std::string>, std::filesystem::path> found_;  // by file and path
  std::vector<Note> notes_;
};

}  // namespace rethink
