#include "experiments/run/store_pilots.h"

#include <fmt/format.h>

#include <map>

#include "core/error.h"
#include "core/json.h"
#include "results/folders/pilot_sets.h"

namespace rethink {

std::string to_text(const StorePilot& pilot) {
  std::string text = pilot.status.state == JobState::pending   ? "waits"
                     : pilot.status.state == JobState::running ? "runs"
                     : pilot.status.state == JobState::ended   ? "has ended"
                                                               : "in an unknown state";
  if (pilot.status.state == JobState::running && !pilot.node.empty()) text += " on " + pilot.node;
  return pilot.status.reason.empty() ? text : text + " (" + pilot.status.reason + ")";
}

std::string to_text(const std::vector<StorePilot>& pilots) {
  std::map<std::string, std::vector<std::string>> by_site;
  for (const StorePilot& pilot : pilots)
    by_site[pilot.site].push_back(pilot.job + " " + to_text(pilot));
  std::string text;
  for (const auto& [site, jobs] : by_site)
    text += fmt::format("pilots of site {}: {}\n", site, joined(jobs));
  return text;
}

std::vector<StorePilot> StorePilots::look(const std::filesystem::path& store) {
  std::vector<StorePilot> found;
  for (const PilotSet& set : PilotSet::all(store)) {
    const Json site_json = set.recorded_site();
    if (site_json.empty()) continue;
    const Site site = site_from_json(site_json);
    std::map<std::string, std::string> nodes;
    for (const StartedPilot& pilot : set.started()) nodes[pilot.job] = pilot.node;
    for (const auto& [job, status] : engines_.of(site).states(set.jobs())) {
      if (status.state != JobState::ended) found.push_back({site.name, job, status, nodes[job]});
    }
  }
  return found;
}

}  // namespace rethink
