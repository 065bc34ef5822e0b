#include "experiments/run/pilots/pilot_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/store_file.h"
#include "core/json.h"
#include "core/store_files/stored_json.h"

namespace rethink {
namespace {

constexpr uint64_t kMostPlanBytes = uint64_t{1} << 30;

template <typename T>
void put_if_any(Json& json, const char* name, const std::optional<T>& value) {
  if (value) json[name] = *value;
}

template <typename T>
void take_if_any(const Json& json, const char* name, std::optional<T>& value) {
  if (json.contains(name)) value = json.at(name).get<T>();
}

/// {"killed": 10}
Json json_of_retries(const std::map<AttemptOutcome, int>& retry) {
  Json json = Json::object();
  for (const auto& [outcome, often] : retry) json[to_text(outcome)] = often;
  return json;
}

std::map<AttemptOutcome, int> retries_from_json(const Json& json) {
  std::map<AttemptOutcome, int> retry;
  for (const auto& [outcome, often] : json.items())
    retry[attempt_outcome_named(outcome)] = often.get<int>();
  return retry;
}

Json json_of_resources(const StageResources& resources) {
  Json json{{"threads", resources.threads},
            {"deterministic", resources.deterministic},
            {"device", resources.device},
            {"alone", resources.alone},
            {"attention", resources.attention},
            {"grace_s", resources.grace_s},
            {"retry", json_of_retries(resources.retry)},
            {"keep_weights", resources.keep_weights},
            {"keep_asked", resources.keep_asked}};
  put_if_any(json, "gpu_memory_bytes", resources.gpu_memory_bytes);
  put_if_any(json, "most_per_gpu", resources.most_per_gpu);
  put_if_any(json, "gpus", resources.gpus);
  put_if_any(json, "time_limit_s", resources.time_limit_s);
  put_if_any(json, "stall_limit_s", resources.stall_limit_s);
  put_if_any(json, "checkpoint_every_s", resources.checkpoint_every_s);
  return json;
}

StageResources resources_from_json(const Json& json) {
  StageResources resources;
  resources.threads = json.at("threads");
  resources.deterministic = json.at("deterministic");
  resources.device = json.at("device");
  resources.alone = json.at("alone");
  resources.attention = json.at("attention");
  resources.grace_s = json.at("grace_s");
  resources.retry = retries_from_json(json.at("retry"));
  resources.keep_weights = json.at("keep_weights");
  resources.keep_asked = json.at("keep_asked");
  take_if_any(json, "gpu_memory_bytes", resources.gpu_memory_bytes);
  take_if_any(json, "most_per_gpu", resources.most_per_gpu);
  take_if_any(json, "gpus", resources.gpus);
  take_if_any(json, "time_limit_s", resources.time_limit_s);
  take_if_any(json, "stall_limit_s", resources.stall_limit_s);
  take_if_any(json, "checkpoint_every_s", resources.checkpoint_every_s);
  return resources;
}

/// Each different one once; trials name them by their position.
class ResourceTable {
 public:
  size_t position_of(const Shared<StageResources>& resources) {
    for (size_t i = 0; i < all_.size(); ++i) {
      if (*all_[i] == *resources) return i;
    }
    all_.push_back(resources);
    return all_.size() - 1;
  }
  Json json() const {
    Json list = Json::array();
    for (const Shared<StageResources>& one : all_) list.push_back(json_of_resources(*one));
    return list;
  }

 private:
  std::vector<Shared<StageResources>> all_;
};

Json json_of_pilot_trial(const PilotTrial& one, ResourceTable& resources) {
  return {{"trial", to_json(one.planned.trial)},
          {"stage", one.planned.stage},
          {"labels", one.planned.labels},
          {"resources", resources.position_of(one.outlook.resources.value())},
          {"before", to_text(one.before)},
          {"winners", one.outlook.winners},
          {"expected_s", one.outlook.expected_s},
          {"makes_checkpoints", one.outlook.makes_checkpoints},
          {"goes_on", one.goes_on},
          {"beside_memory", one.outlook.beside_memory},
          {"held", one.outlook.held}};
}

PilotTrial pilot_trial_from_json(const Json& json,
                                 const std::vector<Shared<StageResources>>& resources) {
  PilotTrial one;
  one.planned.trial = trial_from_json(json.at("trial"));
  one.planned.stage = json.at("stage");
  one.planned.labels = json.at("labels").get<std::map<std::string, std::string>>();
  one.outlook.resources = resources.at(json.at("resources").get<size_t>());
  one.before = trial_state_named(json.at("before"));
  one.outlook.winners = json.at("winners").get<std::set<std::string>>();
  one.outlook.expected_s = json.at("expected_s");
  one.outlook.makes_checkpoints = json.at("makes_checkpoints");
  one.goes_on = json.at("goes_on");
  one.outlook.beside_memory = json.at("beside_memory").get<std::vector<std::string>>();
  one.outlook.held = json.at("held");
  return one;
}

PilotPlan plan_from_json(const Json& json) {
  PilotPlan plan;
  plan.build = json.at("build");
  plan.site = site_from_json(json.at("site"));
  plan.data = json.at("data").get<std::string>();
  plan.slots = json.at("slots");
  plan.fail_fast = json.at("fail_fast");
  for (const auto& [code, checkout] : json.at("checkouts").items())
    plan.checkouts[code] = checkout.get<std::string>();
  std::vector<Shared<StageResources>> resources;
  for (const Json& one : json.at("resources")) resources.emplace_back(resources_from_json(one));
  for (const Json& one : json.at("trials"))
    plan.trials.push_back(pilot_trial_from_json(one, resources));
  return plan;
}

}  // namespace

void write_pilot_plan(const std::filesystem::path& file, const PilotPlan& plan) {
  ResourceTable resources;
  Json trials = Json::array(), checkouts = Json::object();
  for (const PilotTrial& one : plan.trials) trials.push_back(json_of_pilot_trial(one, resources));
  for (const auto& [code, checkout] : plan.checkouts) checkouts[code] = checkout.string();
  write_file_durably(file, stored_text({{"build", plan.build},
                                        {"site", to_json(plan.site)},
                                        {"data", plan.data.string()},
                                        {"slots", plan.slots},
                                        {"fail_fast", plan.fail_fast},
                                        {"checkouts", std::move(checkouts)},
                                        {"resources", resources.json()},
                                        {"trials", std::move(trials)}}));
}

PilotPlan read_pilot_plan(const std::filesystem::path& file) {
  const StoredJson stored = read_stored_json(file, any_object(), kMostPlanBytes);
  std::string damage = stored.damage;
  if (damage.empty() && !stored.has_checksum) damage = "has no checksum";
  if (damage.empty()) {
    try {
      return plan_from_json(stored.object);
    } catch (const Json::exception& error) {
      damage = error.what();
    } catch (const std::out_of_range& error) {
      damage = error.what();
    }
  }
  throw ConfigError(
      "damaged-file",
      fmt::format("{} is damaged ({}): cancel its pilots, and give the command that submitted "
                  "them again",
                  file.string(), damage));
}

}  // namespace rethink
