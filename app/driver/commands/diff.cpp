// `rethink diff`: lists the differences between two trials.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <optional>

#include "app/driver/command.h"
#include "core/error.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/trial_folder.h"
#include "experiments/attempt/trial.h"
#include "experiments/plan/plan_report.h"
#include "experiments/plan/trial_changes.h"
#include "results/folders/stored_trial.h"
#include "results/query/trial_prefix.h"

namespace rethink {
namespace {

Json identity_of(const Trial& trial) {
  Json parts = identity_parts(trial);
  parts["job"] = trial.job;
  parts["config"] = trial.config;
  return parts;
}

bool list_holds_maps(const Json& list) {
  return std::ranges::any_of(list, [](const Json& element) { return element.is_object(); });
}

/// For a list of maps, the changed keys of the changed elements: "groups[1].by"; any other change
/// unchanged.
void add_within(const Change& change, std::vector<Change>& all) {
  const bool are_lists =
      change.before && change.after && change.before->is_array() && change.after->is_array();
  if (!are_lists || !(list_holds_maps(*change.before) || list_holds_maps(*change.after))) {
    all.push_back(change);
    return;
  }
  const auto element = [](const Json& list, size_t i) {
    return i < list.size() ? std::optional<Json>(list[i]) : std::nullopt;
  };
  for (size_t i = 0; i < std::max(change.before->size(), change.after->size()); ++i) {
    const std::string key = fmt::format("{}[{}]", change.key, i);
    const std::optional<Json> before = element(*change.before, i),
                              after = element(*change.after, i);
    if (before == after) continue;
    if (!before || !after || !before->is_object() || !after->is_object()) {
      all.push_back({key, before, after});
      continue;
    }
    for (Change& inner : changes_between(*before, *after)) {
      inner.key = key + "." + inner.key;
      add_within(inner, all);
    }
  }
}

std::vector<Change> changes_of(const Trial& first, const Trial& second) {
  std::vector<Change> all;
  for (const Change& change : changes_between(identity_of(first), identity_of(second)))
    add_within(change, all);
  return all;
}

class Diff : public Command {
 public:
  std::string positional() const override { return "TRIAL TRIAL"; }

  bool needs_folders() const override { return true; }
  void declare(po::options_description& options) const override { declare_format(options); }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> names = arguments_of(given);
    if (names.size() != 2)
      throw ConfigError("wrong-arguments",
                        "name two trials: " + store_command("diff TRIAL TRIAL", context.store));
    const bool json_wanted = wants_json(given);
    const Trial first = read(context.store, names[0]), second = read(context.store, names[1]);
    const std::vector<Change> changes = changes_of(first, second);
    if (json_wanted) {
      Json json{{"trials", {first.id, second.id}}, {"changes", Json::array()}};
      for (const Change& change : changes) {
        Json& entry = json["changes"].emplace_back(Json{{"key", change.key}});
        if (change.before) entry["before"] = *change.before;
        if (change.after) entry["after"] = *change.after;
      }
      std::cout << json.dump(2) << "\n";
      return kDone;
    }
    std::cout << fmt::format("--- {}\n+++ {}\n", first.id, second.id);
    for (const Change& change : changes) {
      const std::string key = change.key.starts_with("config.") ? change.key.substr(7) : change.key;
      std::cout << fmt::format("{}: {}\n", key, values_of(change));
    }
    if (changes.empty()) std::cout << "no difference\n";
    return kDone;
  }

 private:
  static Trial read(const std::filesystem::path& store, const std::string& name) {
    Store index(store, Store::Access::read);
    return trial_from_json(required_trial(trial_folder(store, trial_with_prefix(index, name))));
  }
};

RETHINK_REGISTERED = add_command<Diff>("diff", "list the differences between two trials");

}  // namespace
}  // namespace rethink
