#include "experiments/run/pilots/pilot_jobs.h"

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "core/json.h"
#include "experiments/run/pilots/pilot_plan.h"

namespace rethink {

PilotJobs::PilotJobs(std::filesystem::path store, Site own)
    : store_(std::move(store)), own_(std::move(own)) {}

bool PilotJobs::has_ended(const Lease& lease) {
  bool is_known = false;
  for (const PilotSet& set : PilotSet::all(store_)) {
    const std::vector<std::string> jobs = set.jobs();
    if (std::ranges::find(jobs, lease.job) == jobs.end()) continue;
    is_known = true;
    if (!has_ended_in(set, lease)) return false;
  }
  // A set is removed after its jobs have ended; a late listing may lack it, too.
  return is_known || is_ended(own_, lease.job);
}

bool PilotJobs::has_ended_in(const PilotSet& set, const Lease& lease) {
  if (set.is_end_recorded(lease.job, lease.restart)) return true;
  for (const StartedPilot& pilot : set.started()) {
    if (pilot.job == lease.job && pilot.restart > lease.restart) return true;
  }
  try {
    return is_ended(site_of(set), lease.job);
  } catch (const std::exception&) {
    return false;  // a set whose files are damaged, or were removed just now, proves nothing
  }
}

/// Of jobs.json, or of the plan if the command that submitted was killed before it wrote jobs.json.
const Site& PilotJobs::site_of(const PilotSet& set) {
  const auto known = sites_.find(set.name());
  if (known != sites_.end()) return known->second;
  const Json recorded = set.recorded_site();
  return sites_
      .emplace(set.name(),
               recorded.empty() ? read_pilot_plan(set.plan()).site : site_from_json(recorded))
      .first->second;
}

bool PilotJobs::is_ended(const Site& site, const std::string& job) {
  return engines_.of(site).states({job}).at(job).state == JobState::ended;
}

}  // namespace rethink
