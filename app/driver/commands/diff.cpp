// `rethink diff`: what makes two trials different ones.
#include <fmt/format.h>

#include <iostream>

#include "app/driver/command.h"
#include "core/error.h"
#include "experiments/attempt/trial.h"
#include "experiments/schedule/plan_report.h"
#include "results/folders.h"
#include "results/query.h"

namespace rethink {
namespace {

Json identity_of(const Trial& trial) {
  Json parts{{"job", trial.job},
             {"config", trial.config},
             {"revision", trial.revisions},
             {"data", trial.data}};
  parts["seed"] = trial.seed ? Json(*trial.seed) : Json();
  for (const auto& [slot, ids] : trial.needs) parts["needs"][slot] = joined(ids, " ");
  for (const auto& [slot, hash] : trial.imported) parts["imported"][slot] = hash;
  return parts;
}

class Diff : public Command {
 public:
  std::string positional() const override { return "TRIAL TRIAL"; }

  bool needs_folders() const override { return true; }
  void declare(po::options_description& options) const override { declare_format(options); }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> names = arguments_of(given);
    if (names.size() != 2) throw ConfigError("name two trials: rethink diff TRIAL TRIAL");
    const bool json_wanted = wants_json(given);
    const Trial first = read(context.store, names[0]), second = read(context.store, names[1]);
    const std::vector<Change> changes = changes_between(identity_of(first), identity_of(second));
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
    return trial_from_json(
        read_json(trial_folder(store, trial_with_prefix(index, name)) / "trial.json"));
  }
};

const bool registered = add_command<Diff>("diff", "what makes two trials different ones");

}  // namespace
}  // namespace rethink
