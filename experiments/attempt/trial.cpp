#include "experiments/attempt/trial.h"

#include <fmt/format.h>

#include "core/config/configuration.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/files/hash.h"
#include "core/json.h"
#include "core/store_files/trial_folder.h"
#include "experiments/attempt/build_id.h"
#include "experiments/attempt/job.h"

namespace rethink {
namespace {

const PluginSchema& job_of(const Trial& trial, const Schema& schema) {
  const PluginSchema* job = schema.find("job", trial.job);
  if (!job)
    throw ConfigError("unknown-name", fmt::format("unknown job '{}'{}", trial.job,
                                                  did_you_mean(trial.job, schema.names("job"))));
  return *job;
}

/// Built before the first fork, since every attempt needs it.
const Schema& own_schema() {
  static const Schema schema = schema_of_this_program("", own_sources());
  return schema;
}

std::string identity_text_with_config(const Trial& trial, const std::string& config) {
  Json rest{{"job", trial.job}};
  if (trial.seed) rest["seed"] = *trial.seed;
  if (!trial.needs.empty()) rest["needs"] = trial.needs;
  if (!trial.data.empty()) rest["data"] = trial.data;
  if (!trial.imported.empty()) rest["imported"] = trial.imported;
  if (!trial.revisions.empty()) rest["revisions"] = trial.revisions;
  // Canonical JSON sorts its keys, and "config" is the first of these.
  return "h1\n{\"config\":" + config + "," + canonical_json(rest).substr(1);
}

[[noreturn]] void refuse_foreign_schema(const Trial& trial, const std::string& why) {
  throw ConfigError(
      "other-build",
      fmt::format(
          "trial {}: {}: the schema.json that planned it does not belong to this worker; build the "
          "programs again (make), or install them together",
          trial.id, why));
}

}  // namespace

std::map<std::string, int> revisions_of(const Trial& trial, const Schema& schema) {
  const PluginSchema& job = job_of(trial, schema);
  std::map<std::string, int> revisions = revisions_used(trial.config, job.options, schema);
  if (job.revision > 1) revisions["job/" + job.name] = job.revision;
  return revisions;
}

std::string config_identity(const Trial& trial, const Schema& schema) {
  return canonical_json(hashed_part(trial.config, job_of(trial, schema).options, schema));
}

std::string identity_text(const Trial& trial, const Schema& schema) {
  return identity_text_with_config(trial, config_identity(trial, schema));
}

std::map<std::string, std::string> code_of(const Trial& trial) {
  const PluginSchema& job = job_of(trial, own_schema());
  std::map<std::string, std::string> code = code_used(trial.config, job.options, own_schema());
  if (!job.code.empty()) code["job/" + job.name] = job.code;
  return code;
}

Json identity_config(const Trial& trial) {
  return hashed_part(trial.config, job_of(trial, own_schema()).options, own_schema());
}

std::string trial_id(const Trial& trial, const std::string& config) {
  return sha256_hex(identity_text_with_config(trial, config)).substr(0, kIdDigits);
}

std::string trial_id(const Trial& trial, const Schema& schema) {
  return trial_id(trial, config_identity(trial, schema));
}

Json to_json(const Trial& trial) {
  Json json{{"id", trial.id},
            {"job", trial.job},
            {"config", trial.config},
            {"needs", trial.needs},
            {"data", trial.data},
            {"imported", trial.imported},
            {"imported_paths", trial.imported_paths},
            {"revisions", trial.revisions}};
  json["seed"] = trial.seed ? Json(*trial.seed) : Json();
  if (!trial.may_diverge.empty()) json["may_diverge"] = trial.may_diverge;
  return json;
}

Trial trial_from_json(const Json& json) {
  try {
    Trial trial;
    trial.id = json.at("id");
    trial.job = json.at("job");
    trial.config = json.at("config");
    if (!json.at("seed").is_null()) trial.seed = json.at("seed").get<int64_t>();
    trial.needs = json.at("needs");
    trial.data = json.at("data");
    trial.imported = json.at("imported");
    trial.imported_paths = json.at("imported_paths");
    trial.revisions = json.at("revisions");
    trial.may_diverge = json.value("may_diverge", trial.may_diverge);
    return trial;
  } catch (const Json::exception& error) {
    throw ConfigError("invalid-json", std::string("trial.json: ") + error.what());
  }
}

Trial checked_trial(const Json& json) {
  const Trial trial = trial_from_json(json);
  Json completed;
  try {
    completed = jobs().completed(trial.job, trial.config);
  } catch (const ConfigError& error) {
    refuse_foreign_schema(trial, error.what());
  }
  if (completed != trial.config)
    refuse_foreign_schema(trial, "its configuration is not what this worker makes of it");
  if (revisions_of(trial, own_schema()) != trial.revisions)
    refuse_foreign_schema(trial, "its plug-ins have other revisions here");
  const std::string id = trial_id(trial, own_schema());
  if (id != trial.id) refuse_foreign_schema(trial, "its id is " + id + " here");
  return trial;
}

void prepare_trial_checks() {
  own_schema();
}

}  // namespace rethink
