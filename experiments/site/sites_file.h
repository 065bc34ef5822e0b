// Reads sites.yaml: the places where a user's pilots can run.
//
//   a100:
//     engine: slurm
//     sbatch: [--partition=gpu, --gres=gpu:1, --time=4:00:00]
//     pilots: 8
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/config/schema.h"
#include "experiments/site/site.h"

namespace rethink {

/// The site without an entry in sites.yaml: background processes of this machine.
constexpr const char* kLocalSite = "local";

/// $XDG_CONFIG_HOME/rethink/sites.yaml or ~/.config/rethink/sites.yaml; empty where neither is set.
std::filesystem::path usual_sites_file();

/// The site `name` of `file`; an empty path is usual_sites_file(). Throws ConfigError, with the place of each mistake of
/// the site, or with the names of the sites that there are.
Site site_named(const std::string& name, const std::filesystem::path& file);

/// The names that site_named takes, sorted. Mistakes in the file are left out.
std::vector<std::string> site_names(const std::filesystem::path& file);

/// Returns the options of a site in the file.
OptionsSchema site_options();

}  // namespace rethink
