#include "experiments/plan/known_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/error.h"
#include "experiments/plan/plan_report.h"
#include "experiments/plan/trial_changes.h"

namespace rethink {
namespace {

constexpr size_t kShortId = 8;

std::string short_id(const std::string& id) {
  return id.substr(0, kShortId);
}

bool is_need(const Change& change) {
  return change.key.starts_with("needs.");
}

/// Ids and hashes are cut as they are elsewhere in a plan.
Change shortened(Change change) {
  if (is_need(change) || change.key.starts_with("imported.") || change.key.starts_with("data.")) {
    for (std::optional<Json>* value : {&change.before, &change.after}) {
      if (*value) *value = short_id((*value)->get<std::string>());
    }
  }
  return change;
}

/// Candidates, and the trials of a slot that takes several, are too many to be named.
std::string nearest_text(const std::vector<Change>& changes) {
  const auto has_blank = [](const std::optional<Json>& value) {
    return value && value->is_string() &&
           value->get_ref<const std::string&>().find(' ') != std::string::npos;
  };
  const bool other_candidates =
      std::ranges::any_of(changes, [](const Change& c) { return c.key == kCandidatesOption; });
  std::vector<Change> shown;
  std::vector<std::string> texts;
  if (other_candidates) texts.push_back("candidates changed");
  for (const Change& change : changes) {
    if (change.key == kCandidatesOption || (is_need(change) && other_candidates)) continue;
    if (is_need(change) && (has_blank(change.before) || has_blank(change.after)))
      texts.push_back(change.key + " changed");
    else
      shown.push_back(shortened(change));
  }
  if (!shown.empty()) texts.insert(texts.begin(), text_of(shown, kChangesShown));
  return joined(texts);
}

/// "under another revision: ...", "with other data: ..."; "" when a trial that rests on `old` counts
/// as `trial`.
std::string outdated_by(const Provenance& old, const Trial& trial) {
  std::vector<Change> revisions = changes_between(old.revisions, Json(trial.revisions));
  for (Change& change : revisions) {
    if (!change.before) change.before = 1;  // revisions are noted where they are above 1
    if (!change.after) change.after = 1;
  }
  if (!revisions.empty()) return "under another revision: " + text_of(revisions, kChangesShown);
  for (const auto& [file, hash] : trial.data) {
    if (old.data.value(file, hash) == hash) continue;
    return fmt::format("with other data: {} was {}, is {}", file,
                       short_id(old.data.value(file, "")), short_id(hash));
  }
  return "";
}

}  // namespace

KnownJob::KnownJob(Store& store, const std::string& job, const Schema& schema)
    : store_(store),
      schema_(schema),
      job_(*schema.find("job", job)),
      trials_(known_trials(store, job)) {
  std::erase_if(trials_, [](const KnownTrial& trial) { return trial.state != "done"; });
  for (const KnownTrial& trial : trials_) {
    const auto [place, is_new] = provenances_.try_emplace({trial.revisions, trial.data});
    if (is_new) place->second = {Json::parse(trial.revisions), Json::parse(trial.data)};
  }
}

std::string KnownJob::stale_because(const Trial& trial) {
  const bool any = std::ranges::any_of(
      provenances_, [&](const auto& one) { return !outdated_by(one.second, trial).empty(); });
  if (!any) return "";
  for (const KnownTrial* old : alike(trial)) {
    if (old->seed != trial.seed) continue;
    const std::string why = outdated_by(provenances_.at({old->revisions, old->data}), trial);
    if (!why.empty()) return fmt::format("stale: done as {} {}", short_id(old->id), why);
  }
  return "";
}

const std::vector<const KnownTrial*>& KnownJob::alike(const Trial& trial) {
  if (by_identity_.empty()) {
    for (const KnownTrial& known : trials_)
      by_identity_[canonical_json(identity_of(known))].push_back(&known);
  }
  return by_identity_[config_identity(trial, schema_)];
}

std::string KnownJob::nearest_to(const Trial& trial, const std::set<std::string>& ids, size_t most,
                                 const std::string& of) {
  const Json identity = hashed_part(trial.config, job_.options, schema_),
             parts = identity_parts(trial);
  std::vector<Change> fewest;
  const KnownTrial* nearest = nullptr;
  for (const KnownTrial& known : trials_) {
    if (!ids.count(known.id)) continue;
    std::vector<Change> changes = changes_between(identity_of(known), identity);
    std::ranges::move(changes_between(parts_of(known), parts), std::back_inserter(changes));
    if (nearest && changes.size() >= fewest.size()) continue;
    nearest = &known;
    fewest = std::move(changes);
  }
  if (!nearest || fewest.size() > most) return "";
  if (std::ranges::all_of(fewest, is_need))
    return fmt::format("needs other trials than {}{}, which has the same configuration",
                       short_id(nearest->id), of);
  return fmt::format("{} (against {}{})", nearest_text(fewest), short_id(nearest->id), of);
}

/// Read once for all seeds.
const Json& KnownJob::identity_of(const KnownTrial& trial) {
  const auto [place, is_new] = identities_.try_emplace(trial.configuration);
  if (!is_new) return place->second;
  Json whole = Json::parse(trial.configuration);
  try {
    place->second = hashed_part(whole, job_.options, schema_);
  } catch (const std::exception&) {
    place->second = std::move(whole);  // of options or plug-ins that there are no more
  }
  return place->second;
}

const Json& KnownJob::parts_of(const KnownTrial& known) {
  const auto [place, is_new] = parts_.try_emplace(known.id);
  if (!is_new) return place->second;
  if (!needs_) needs_ = known_needs(store_, job_.name);
  Trial trial;
  trial.seed = known.seed;
  if (const auto needs = needs_->find(known.id); needs != needs_->end())
    trial.needs = needs->second;
  trial.data = Json::parse(known.data);
  trial.imported = Json::parse(known.imported);
  trial.revisions = Json::parse(known.revisions);
  return place->second = identity_parts(trial);
}

}  // namespace rethink
