#include "core/store_files/result_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/message.h"
#include "core/store_files/attempt_end.h"
#include "core/store_files/event.h"
#include "core/store_files/trial_folder.h"

namespace rethink {

namespace {

constexpr size_t kSha256Digits = 64;

/// Returns a path below the trial's folder, or below the artifacts of a trial that a select chose.
/// Any other path would let a foreign store name any file of the reader.
std::string artifact_path(const Json& value, UnknownMembers) {
  constexpr const char* kExpected = "a path below 'artifacts/' or '../TRIAL/artifacts/'";
  if (!value.is_string()) return not_expected(value, kExpected);
  const std::filesystem::path path = value.get<std::string>();
  auto part = path.begin();
  if (part != path.end() && *part == "..") {
    if (++part == path.end() || !hex_digits(kIdDigits)(part->string(), {}).empty())
      return not_expected(value, kExpected);
    ++part;
  }
  if (part == path.end() || *part != kArtifactsFolder || ++part == path.end())
    return not_expected(value, kExpected);
  for (; part != path.end(); ++part) {
    if (*part == ".." || part->empty()) return not_expected(value, kExpected);
  }
  return "";
}

std::string artifacts(const Json& value, UnknownMembers unknown) {
  static const JsonShape kList = list_of(object_with({{"name", any_text()},
                                                      {"kind", any_text()},
                                                      {"file", artifact_path},
                                                      {"sha256", hex_digits(kSha256Digits)},
                                                      {"bytes", integer_from(0)},
                                                      {"facts", any_object()},
                                                      {"seed", any_integer(), false}}));
  if (std::string damage = kList(value, unknown); !damage.empty()) return damage;
  std::set<std::pair<Json, Json>> seen;
  for (const Json& artifact : value) {
    if (!seen.emplace(artifact.at("name"), artifact.value("seed", Json())).second) {
      return not_expected(artifact.at("name"), "each name once for a seed");
    }
  }
  return "";
}

const JsonShape& result_shape() {
  static const JsonShape kResult = object_with(
      {{"trial", hex_digits(kIdDigits)},
       {"seed", null_or(any_integer())},
       {"outcome",
        one_of_texts({to_text(AttemptOutcome::done), to_text(AttemptOutcome::diverged)})},
       {"attempt", integer_from(1)},
       {"events", integer_from(0)},
       {"metrics", map_of(number_or_not_finite())},
       {"artifacts", artifacts},
       {"directions", map_of(one_of_texts({"max", "min"})), false},
       {"weights_sha256", hex_digits(kSha256Digits), false},
       {"began_fresh", list_of(any_text()), false},
       {"selected",
        object_with(
            {{"group", integer_from(0)},
             {"labels", list_of(object_with({{"axis", any_text()}, {"value", any_text()}}))},
             {"by", any_text()},
             {"score", any_number()},
             {"tied", integer_from(1), false},
             {"seeds", list_of(object_with({{"seed", null_or(any_integer())},
                                            {"trial", hex_digits(kIdDigits)}}))}}),
        false}});
  return kResult;
}

}  // namespace

std::optional<StoredJson> stored_result(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return std::nullopt;
  StoredJson result = read_stored_json(file, result_shape());
  if (result.is_sound()) result.damage = not_of_this_trial(result.object, file.parent_path());
  return result;
}

std::optional<Json> sound_result(const std::filesystem::path& file) {
  std::optional<StoredJson> result = stored_result(file);
  if (!result || !result->is_sound()) return std::nullopt;
  return std::move(result->object);
}

AttemptOutcome outcome_of_result(const Json& result) {
  return attempt_outcome_named(result.at("outcome"));
}

std::vector<std::string> winners(const Json& result, const std::optional<int64_t>& seed) {
  const Json& seeds = result.at("selected").at("seeds");
  std::vector<std::string> all;
  for (const Json& entry : seeds) {
    if (!seed || seeds.size() == 1 || entry.at("seed") == *seed) all.push_back(entry.at("trial"));
  }
  return all;
}

std::string result_damage(const std::filesystem::path& file, const std::string& damage) {
  const std::filesystem::path trial = file.parent_path();
  const std::filesystem::path store = trial.parent_path().parent_path();
  return fmt::format("{} is damaged ({}); `{}` and the next run of its sweep make it again",
                     file.string(), damage,
                     store_command("retry " + trial.filename().string(), store));
}

namespace {

/// The values that the events of visit_counted_events report.
class EventSummaryBuilder {
 public:
  void take(const Json& event) {
    const EventKind kind = event_kind(event);
    if (kind == EventKind::start) start(event);
    if (kind == EventKind::metric) {
      const std::string name = fmt::format("{}/{}", event.at("split").get<std::string>(),
                                           event.at("name").get<std::string>());
      curves_[name][event.at("step").get<int64_t>()] = event.at("value");
    }
    if (kind == EventKind::artifact) summary_.artifacts.push_back(without_kind(event));
    if (kind == EventKind::selected) summary_.selected = without_kind(event);
    if (kind == EventKind::end) summary_.outcome = event.at("outcome");
  }

  EventSummary summary(uint64_t bytes) && {
    summary_.bytes = bytes;
    for (const auto& [name, curve] : curves_) {
      if (!curve.empty()) summary_.metrics[name] = curve.rbegin()->second;
    }
    return std::move(summary_);
  }

 private:
  void start(const Json& event) {
    summary_ = {};
    const std::optional<int64_t> resume_step = resume_step_of(event);
    if (!resume_step || resume_place_of(event)) return;
    if (*resume_step == 0) curves_.clear();  // step 0 is measured again, too
    for (auto& [name, curve] : curves_) curve.erase(curve.upper_bound(*resume_step), curve.end());
  }

  static Json without_kind(Json event) {
    event.erase("event");
    return event;
  }

  EventSummary summary_;
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

/// The artifacts of a select's winners, according to the winners' events. Returns nothing if a
/// winner has no sound result.
std::optional<Json> artifacts_of_winners(const Json& result, const std::filesystem::path& trials) {
  Json all = Json::array();
  for (const Json& entry : result.at("selected").at("seeds")) {
    const std::string winner = entry.at("trial");
    const std::optional<Json> theirs = sound_result(trials / winner / kResultFile);
    if (!theirs) return std::nullopt;
    for (Json artifact : summarize_events(trials / winner, theirs->at("attempt")).artifacts) {
      artifact["file"] = fmt::format("../{}/{}", winner, artifact.at("file").get<std::string>());
      all.push_back(std::move(artifact));
    }
  }
  return all;
}

bool same_selection(const Json& selected, const EventSummary& summary) {
  for (const char* member : {"labels", "seeds", "tied"}) {
    if (selected.contains(member) && summary.selected.contains(member) &&
        selected.at(member) != summary.selected.at(member))
      return false;
  }
  return selected.at("score") == summary.metrics.value("select/score", selected.at("score"));
}

/// Members of a sound result that differ from its events.
std::vector<std::string> contradicted(const StoredJson& stored, const EventSummary& summary,
                                      const std::filesystem::path& trial_folder) {
  const Json& result = stored.object;
  std::vector<std::string> members;
  if (result.at("metrics") != summary.metrics) members.emplace_back("metrics");
  if (!summary.outcome.is_null() && result.at("outcome") != summary.outcome)
    members.emplace_back("outcome");
  if (result.at("events") < summary.bytes) members.emplace_back("events");
  const bool is_select = result.contains("selected");
  if (is_select != !summary.selected.is_null() ||
      (is_select && !same_selection(result.at("selected"), summary)))
    members.emplace_back("selected");
  // A select has no artifacts of its own. The listed artifacts may be made again with other bytes,
  // so they prove nothing if the checksum holds.
  std::optional<Json> artifacts = summary.artifacts;
  if (is_select) {
    artifacts.reset();
    if (!stored.has_checksum) artifacts = artifacts_of_winners(result, trial_folder.parent_path());
  }
  if (artifacts && !same_in_any_order(result.at("artifacts"), *artifacts))
    members.emplace_back("artifacts");
  return members;
}

/// Whether the driver saw that the result's attempt left no result. A `lost` attempt may have left
/// a result that was damaged, or whose events were damaged.
bool is_of_an_attempt_without_result(const Json& result,
                                     const std::filesystem::path& trial_folder) {
  using enum AttemptOutcome;
  static const std::set<AttemptOutcome> kWithout = {failed, oom, killed, timeout, interrupted};
  const auto folders = attempt_folders(trial_folder);
  const auto attempt = folders.find(result.at("attempt"));
  if (attempt == folders.end() || !std::filesystem::exists(attempt->second / kEndFile))
    return false;
  const StoredJson end = stored_attempt_end(attempt->second);
  return end.is_sound() && end.has_checksum &&
         kWithout.contains(attempt_outcome_named(end.object.at("outcome")));
}

/// Whether the trial has the group that its result chose, with the chosen trials. If a candidate is
/// a select itself, the result names the winners, which are in no group.
bool is_group_of(const Json& selected, const Json& config) {
  const Json& groups = config.at("groups");
  const size_t chosen = selected.at("group");
  if (chosen >= groups.size()) return false;
  const auto has = [](const Json& group, const Json& trial) {
    const Json& trials = group.at("trials");
    return std::find(trials.begin(), trials.end(), trial) != trials.end();
  };
  return std::ranges::all_of(selected.at("seeds"), [&](const Json& entry) {
    const Json& trial = entry.at("trial");
    return has(groups.at(chosen), trial) ||
           std::ranges::none_of(groups, [&](const Json& group) { return has(group, trial); });
  });
}

/// Members of a sound result that differ from the trial's plan; empty if the plan is damaged.
std::vector<std::string> contradicted_by_trial(const Json& result,
                                               const std::filesystem::path& trial_folder) {
  const std::filesystem::path file = trial_folder / kTrialFile;
  if (!std::filesystem::exists(file)) return {};
  const StoredJson trial = read_stored_json(file, any_object());
  if (!trial.is_sound() || !trial.has_checksum) return {};
  std::vector<std::string> members;
  if (result.at("seed") != trial.object.at("seed")) members.emplace_back("seed");
  const Json& config = trial.object.at("config");
  if (result.contains("selected") && config.contains("groups") &&
      (result.at("selected").at("by") != config.at("by") ||
       !is_group_of(result.at("selected"), config)))
    members.emplace_back("selected");
  return members;
}

/// Members of a sound result that differ from its events; empty if not all events can be read.
std::vector<std::string> contradicted_by_events(const StoredJson& stored,
                                                const std::filesystem::path& trial_folder) {
  const int64_t attempt = stored.object.at("attempt");
  const std::vector<std::string> members =
      contradicted(stored, summarize_events(trial_folder, attempt), trial_folder);
  if (members.empty()) return {};
  if (!events_are_whole(event_files(trial_folder), EventPlace{attempt, stored.object.at("events")}))
    return {};
  return members;
}

}  // namespace

EventSummary summarize_events(const std::filesystem::path& trial_folder, int64_t last) {
  EventSummaryBuilder so_far;
  const uint64_t bytes = visit_counted_events(event_files(trial_folder), last,
                                              [&](const Json& event) { so_far.take(event); });
  return std::move(so_far).summary(bytes);
}

std::string contradiction_of(const StoredJson& stored, const std::filesystem::path& trial_folder) {
  std::vector<std::string> damages;
  try {
    if (const auto members = contradicted_by_trial(stored.object, trial_folder); !members.empty())
      damages.push_back(joined(members) + ": not what its trial.json says");
    // The checksum holds, so the attempt is missing, not the result.
    if (!stored.has_checksum &&
        !attempt_folders(trial_folder).contains(stored.object.at("attempt").get<int64_t>()))
      damages.emplace_back("attempt: there is no such attempt");
    if (is_of_an_attempt_without_result(stored.object, trial_folder))
      damages.emplace_back("attempt: not what its end.json says");
    if (const auto members = contradicted_by_events(stored, trial_folder); !members.empty())
      damages.push_back(joined(members) + ": not what its events say");
  } catch (const Json::exception&) {  // written by another version
  }
  return joined(damages, "; ");
}

std::optional<StoredJson> proved_result(const std::filesystem::path& file) {
  std::optional<StoredJson> result = stored_result(file);
  if (result && result->is_sound()) result->damage = contradiction_of(*result, file.parent_path());
  return result;
}

std::optional<StoredJson> result_as_written(const std::filesystem::path& file) {
  std::optional<StoredJson> result = stored_result(file);
  return result && result->is_sound() && !result->has_checksum ? proved_result(file) : result;
}

}  // namespace rethink
