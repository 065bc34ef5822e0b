#include "core/result_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/attempt_folders.h"
#include "core/error.h"
#include "core/event.h"
#include "core/result_file.h"

namespace rethink {
namespace {

/// Of the attempt that starts: rows above the step it resumes from come again.
class SaidSoFar {
 public:
  void take(const Json& event) {
    const std::string kind = event.at("event");
    if (kind == "start") start(event.at("resume_step"));
    if (kind == "metric") {
      const std::string name = fmt::format("{}/{}", event.at("split").get<std::string>(),
                                           event.at("name").get<std::string>());
      curves_[name][event.at("step").get<int64_t>()] = event.at("value");
    }
    if (kind == "artifact") said_.artifacts.push_back(without_kind(event));
    if (kind == "selected") said_.selected = without_kind(event);
    if (kind == "end") said_.outcome = event.at("outcome");
  }

  SaidByEvents said(uint64_t bytes) && {
    said_.bytes = bytes;
    for (const auto& [name, curve] : curves_) {
      if (!curve.empty()) said_.metrics[name] = curve.rbegin()->second;
    }
    return std::move(said_);
  }

 private:
  void start(int64_t resume_step) {
    said_ = {};
    if (resume_step == 0) curves_.clear();  // from the beginning: step 0 is measured again, too
    for (auto& [name, curve] : curves_) curve.erase(curve.upper_bound(resume_step), curve.end());
  }

  static Json without_kind(Json event) {
    event.erase("event");
    return event;
  }

  SaidByEvents said_;
  std::map<std::string, std::map<int64_t, Json>> curves_;
};

bool same_in_any_order(const Json& some, const Json& others) {
  const auto sorted = [](const Json& list) {
    std::vector<Json> all(list.begin(), list.end());
    std::ranges::sort(all, {}, [](const Json& one) { return one.dump(); });
    return all;
  };
  return sorted(some) == sorted(others);
}

/// The artifacts that a select has from its winners, by their events; nothing where a winner has no
/// sound result by now.
std::optional<Json> artifacts_of_winners(const Json& result, const std::filesystem::path& trials) {
  Json all = Json::array();
  for (const Json& entry : result.at("selected").at("seeds")) {
    const std::string winner = entry.at("trial");
    const std::optional<Json> theirs = sound_result(trials / winner / "result.json");
    if (!theirs) return std::nullopt;
    for (Json artifact : said_by_events(trials / winner, theirs->at("attempt")).artifacts) {
      artifact["file"] = fmt::format("../{}/{}", winner, artifact.at("file").get<std::string>());
      all.push_back(std::move(artifact));
    }
  }
  return all;
}

bool same_selection(const Json& selected, const SaidByEvents& said) {
  for (const char* member : {"labels", "seeds", "tied"}) {
    if (selected.contains(member) && said.selected.contains(member) &&
        selected.at(member) != said.selected.at(member))
      return false;
  }
  return selected.at("score") == said.metrics.value("select/score", selected.at("score"));
}

/// Members of a sound result that its events contradict.
std::vector<std::string> contradicted(const StoredJson& stored, const SaidByEvents& said,
                                      const std::filesystem::path& trial_folder) {
  const Json& result = stored.object;
  std::vector<std::string> members;
  if (result.at("metrics") != said.metrics) members.emplace_back("metrics");
  if (!said.outcome.is_null() && result.at("outcome") != said.outcome)
    members.emplace_back("outcome");
  if (result.at("events") < said.bytes) members.emplace_back("events");
  const bool is_select = result.contains("selected");
  if (is_select != !said.selected.is_null() ||
      (is_select && !same_selection(result.at("selected"), said)))
    members.emplace_back("selected");
  // A select has no artifacts of its own. Those that it lists may be made again with other bytes, so
  // that they tell nothing where its checksum holds.
  std::optional<Json> artifacts = said.artifacts;
  if (is_select) {
    artifacts.reset();
    if (!stored.has_checksum) artifacts = artifacts_of_winners(result, trial_folder.parent_path());
  }
  if (artifacts && !same_in_any_order(result.at("artifacts"), *artifacts))
    members.emplace_back("artifacts");
  return members;
}

/// What is wrong with a sound result; "" where nothing is, or nobody can say.
std::string damage_by_events(const StoredJson& stored, const std::filesystem::path& trial_folder) {
  const Json& result = stored.object;
  const int64_t attempt = result.at("attempt");
  std::vector<std::string> members;
  try {
    members = contradicted(stored, said_by_events(trial_folder, attempt), trial_folder);
  } catch (const Json::exception&) {  // another version's events
    return "";
  }
  if (members.empty()) return "";
  std::map<int64_t, std::filesystem::path> files;
  for (const auto& [number, folder] : attempt_folders(trial_folder))
    files[number] = folder / "events.jsonl";
  if (!events_are_whole(files, EventPlace{attempt, result.at("events")})) return "";
  return joined(members) + ": not what its events say";
}

}  // namespace

SaidByEvents said_by_events(const std::filesystem::path& trial_folder, int64_t last) {
  SaidSoFar so_far;
  uint64_t bytes = 0;
  for (const auto& [number, folder] : attempt_folders(trial_folder)) {
    const std::filesystem::path events = folder / "events.jsonl";
    if (number > last || !std::filesystem::exists(events)) continue;
    bytes = read_events(events, 0, [&](const Json& event) { so_far.take(event); }).offset;
  }
  return std::move(so_far).said(bytes);
}

std::optional<StoredJson> proved_result(const std::filesystem::path& file) {
  std::optional<StoredJson> result = stored_result(file);
  if (result && result->is_sound()) result->damage = damage_by_events(*result, file.parent_path());
  return result;
}

std::optional<StoredJson> result_as_written(const std::filesystem::path& file) {
  std::optional<StoredJson> result = stored_result(file);
  return result && result->is_sound() && !result->has_checksum ? proved_result(file) : result;
}

}  // namespace rethink
