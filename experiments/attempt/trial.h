// One trial: a stage with a complete configuration and a seed. Its id is the hash of both, of its
// dependencies and of its data. The driver plans the trial, and the worker checks it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/config/schema.h"
#include "core/json.h"

namespace rethink {

struct Trial {
  std::string id;               // 20 hex digits, see trial_id
  std::string job;              // name in the registry "job"
  Json config;                  // complete and typed: the job's options
  std::optional<int64_t> seed;  // none if the job has no seed (select)
  std::map<std::string, std::vector<std::string>>
      needs;  // input slot: ids of trials, in the plan's order
  std::map<std::string, std::string>
      data;  // data file below --data, or the option that names one: SHA-256 of its bytes
  std::map<std::string, std::string> imported;        // input slot: SHA-256 of imported weights
  std::map<std::string, std::string> imported_paths;  // input slot: path of the weights; not hashed
  std::map<std::string, int> revisions;               // "attention/dense": revision, where above 1
  std::set<std::string>
      may_diverge{};  // slots whose trials only have to end; follows from the job, not hashed
};

/// Returns the revisions above 1 of the job and of each plug-in in the configuration, by
/// "attention/dense". Throws ConfigError for an unknown job.
std::map<std::string, int> revisions_of(const Trial& trial, const Schema& schema);

/// Returns the known hashes of this program's code of the job and of each plug-in in the
/// configuration, by "attention/dense". They are not part of the identity. Requires: the trial is
/// of this program.
std::map<std::string, std::string> code_of(const Trial& trial);

/// Returns "h1\n" and the canonical JSON of everything that identifies this trial. The build is not
/// part of it.
std::string identity_text(const Trial& trial, const Schema& schema);

/// Returns the first 20 hex digits of the identity's SHA-256.
std::string trial_id(const Trial& trial, const Schema& schema);

/// Return the configuration's part of the identity, and the id made from it. Trials that differ
/// only in their seeds share this part.
std::string config_identity(const Trial& trial, const Schema& schema);
std::string trial_id(const Trial& trial, const std::string& config);

/// Returns the configuration as it is in the identity, by this program's options. It is equal for
/// equal trials, whatever their options on checkpoints or later options are.
Json identity_config(const Trial& trial);

/// Convert to and from trial.json. Throw ConfigError if a member is missing or has another type.
Json to_json(const Trial& trial);
Trial trial_from_json(const Json& json);

/// Reads trial.json, computes the id again from this program's option structs, and throws
/// ConfigError on any difference: the planning schema then does not belong to this worker.
Trial checked_trial(const Json& json);

/// Prepares what checked_trial needs, for a process that forks many processes that call it.
void prepare_trial_checks();

}  // namespace rethink
