#include "experiments/plan/trial_changes.h"

#include "core/error.h"
#include "core/json.h"

namespace rethink {

Json identity_parts(const Trial& trial) {
  Json parts = Json::object();
  if (trial.seed) parts["seed"] = *trial.seed;
  for (const auto& [slot, ids] : trial.needs) parts["needs"][slot] = joined(ids, " ");
  for (const auto& [slot, hash] : trial.imported) parts["imported"][slot] = hash;
  for (const auto& [file, hash] : trial.data) parts["data"][file] = hash;
  for (const auto& [plugin, revision] : trial.revisions) parts["revision"][plugin] = revision;
  return parts;
}

}  // namespace rethink
