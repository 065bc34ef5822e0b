// The shell script that a job runs: the site's setup, then the pilot.
#pragma once

#include <string>

#include "experiments/site/site.h"

namespace rethink {

/// `before`: the engine's own lines, which come first. The shell becomes the pilot, or the program of `wrap`: signals to
/// the script reach it.
std::string job_script(const Site& site, const PilotCommand& pilot, const std::string& before);

}  // namespace rethink
