#include "results/folders/outside_scores.h"

#include "core/error.h"
#include "core/files/file.h"
#include "core/store_files/stored_json.h"
#include "core/store_files/trial_folder.h"
#include "results/folders/foreign_parts.h"

namespace rethink {
namespace {

std::filesystem::path file_of(const std::filesystem::path& trial_folder) {
  return trial_folder / kScoresFile;
}

}  // namespace

bool OutsideScore::repeats(const OutsideScore& other) const {
  return name == other.name && value == other.value && from == other.from && date == other.date;
}

Json to_json(const OutsideScore& score) {
  return {{"name", score.name},
          {"value", score.value},
          {"from", score.from},
          {"date", score.date},
          {"at", score.at}};
}

bool has_outside_scores(const std::filesystem::path& trial_folder) {
  return std::filesystem::exists(file_of(trial_folder));
}

std::optional<std::vector<OutsideScore>> read_outside_scores(
    const std::filesystem::path& trial_folder) {
  const std::filesystem::path file = file_of(trial_folder);
  if (!has_outside_scores(trial_folder)) return std::vector<OutsideScore>{};
  static const JsonShape kScores =
      object_with({{"scores", list_of(object_with({{"name", any_text()},
                                                   {"value", any_number()},
                                                   {"from", any_text()},
                                                   {"date", any_text()},
                                                   {"at", any_text()}}))}});
  const StoredJson stored = read_stored_json(file, kScores);
  if (!stored.is_sound()) return std::nullopt;
  std::vector<OutsideScore> scores;
  for (const Json& score : stored.object.at("scores")) {
    scores.push_back(
        {score.at("name"), score.at("value"), score.at("from"), score.at("date"), score.at("at")});
  }
  return scores;
}

std::map<std::string, OutsideScore> newest_scores(const std::vector<OutsideScore>& scores) {
  std::map<std::string, OutsideScore> newest;
  for (const OutsideScore& score : scores) newest[score.name] = score;
  return newest;
}

void write_outside_scores(const std::filesystem::path& trial_folder,
                          const std::vector<OutsideScore>& scores) {
  const std::string linked = linked_part(trial_folder);
  if (!linked.empty()) throw ConfigError("linked-file", linked);
  Json all = Json::array();
  for (const OutsideScore& score : scores) all.push_back(to_json(score));
  write_file_durably(file_of(trial_folder), stored_text({{"scores", all}}));
}

}  // namespace rethink
