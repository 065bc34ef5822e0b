// `rethink run SWEEP --site NAME`: pilots at a site run the trials; this command submits them, and later collects.
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

/// The site that --site names; none without the option. Throws ConfigError where there is no such site, and where another
/// option does not go with it.
std::optional<Site> site_given(const po::variables_map& given);

struct SiteEnd {
  RunReport report;
  bool has_ended = false;  // nothing is left to run
  bool interrupted = false;
};

/// Submits what is missing; with --wait stays until nothing is left, or until a signal comes: pilots go on then. `same`:
/// the command to come back with, as standard error says it. Throws as SiteRun::look.
SiteEnd run_at_site(const CommandContext& context, const po::variables_map& given,
                    std::vector<Plan>& plans, const RunChoices& choices, Site site,
                    const std::string& same);

}  // namespace rethink
