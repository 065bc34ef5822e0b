// `rethink run SWEEP --site NAME`: submits pilots, which run the trials at a site, and later collects results.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/driver/command.h"
#include "experiments/plan/plan.h"
#include "experiments/run/sweep_run.h"
#include "experiments/site/site.h"

namespace rethink {

/// Declares --site, --sites and --wait.
void declare_site_choices(po::options_description& options);

/// Returns the site that --site names; nothing without the option. Throws ConfigError for an
/// unknown site, and for options that exclude --site.
std::optional<Site> site_given(const po::variables_map& given);

struct SiteEnd {
  RunReport report;
  bool has_ended = false;  // nothing is left to run
  bool interrupted = false;
};

/// Submits missing pilots. With --wait it returns when nothing is left, or after a signal; pilots then continue. `same`
/// is the command to repeat later, for standard error. Throws as SiteRun::look.
SiteEnd run_at_site(const CommandContext& context, const po::variables_map& given,
                    std::vector<Plan>& plans, const RunChoices& choices, Site site,
                    const std::string& same);

}  // namespace rethink
