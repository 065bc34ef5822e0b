#include "experiments/site/sites_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/config/check.h"
#include "core/error.h"
#include "core/files/user_folder.h"
#include "core/json.h"
#include "core/yaml/text_with_unit.h"

namespace rethink {
namespace {

constexpr int64_t kMostPilots = 10'000, kMostTrialsPerPilot = 1'000'000'000;
constexpr double kShortestPauseSeconds = 1;
constexpr std::array kCommandKeys = {"submit", "states", "cancel", "job"};  // of engine commands

struct SiteSettings {
  std::string engine;
  std::vector<std::string> sbatch;
  int64_t pilots = 1;
  std::optional<int64_t> trials_per_pilot;
  std::string setup, wrap;
  Duration ask_every{"30s"};
  std::optional<std::string> submit, states, cancel, job;

  void fields(Fields& field) {
    field(
        "engine", engine,
        "what starts pilots: slurm, local (processes of this machine), or commands (another queue, "
        "by its commands below)")
        .one_of({"slurm", "local", "commands"})
        .required();
    field("sbatch", sbatch,
          "options for sbatch, passed as they are written: [--partition=gpu, --time=4:00:00]");
    field("pilots", pilots, "most pilots at once, each of them one job").min(1).max(kMostPilots);
    field("trials_per_pilot", trials_per_pilot,
          "a pilot ends after so many trials; default: when no trial is left")
        .min(1)
        .max(kMostTrialsPerPilot);
    field("setup", setup,
          "lines of a bash script before the pilot starts, such as module load cuda");
    field("wrap", wrap,
          "what runs the pilot, as a shell reads it, such as apptainer exec --nv image.sif");
    field("ask_every", ask_every, "least time between two questions to the queue, such as 30s");
    field("submit", submit,
          "engine commands: reads the job's script from standard input and prints the job's id; "
          "{name} is replaced");
    field("states", states,
          "engine commands: prints JOB STATE [REASON] for each of {jobs}, STATE being pending, "
          "running or ended; a job that it leaves out has ended");
    field("cancel", cancel, "engine commands: ends {jobs}");
    field("job", job, "engine commands: the job's id as its shell has it, such as $PBS_JOBID");
  }
};

/// Adds a problem for each key that the engine does not have, and for each required key that is
/// missing.
void check_keys_of_engine(const Yaml& given, const std::string& engine, Problems& problems) {
  for (const Yaml::Entry& entry : given.entries) {
    if (entry.key == "sbatch" && engine != "slurm") {
      problems.add(entry.where, "misplaced-key",
                   fmt::format("'sbatch' is for engine slurm, and the engine is {}; "
                               "remove it",
                               engine));
    }
    for (const char* key : kCommandKeys) {
      if (entry.key == key && engine != "commands")
        problems.add(entry.where, "misplaced-key",
                     fmt::format("'{}' is for engine commands, and the engine is {}; "
                                 "remove it",
                                 key, engine));
    }
  }
  if (engine != "commands") return;
  for (const char* key : kCommandKeys) {
    if (!given.find(key))
      problems.add(
          given.where, "missing-key",
          fmt::format("'{}' is missing; engine commands needs submit, states, cancel and job",
                      key));
  }
}

Site read_site(const Yaml::Entry& entry, const std::filesystem::path& file, Problems& problems) {
  const Json checked = check_options(entry.value, site_options(), {}, "", problems);
  if (!problems.empty()) return {.name = entry.key};
  const auto settings = read_options<SiteSettings>(checked);
  check_keys_of_engine(entry.value, settings.engine, problems);
  Site site{.name = entry.key, .engine = settings.engine};
  site.options = settings.sbatch;
  site.pilots = static_cast<int>(settings.pilots);
  site.trials_per_pilot = static_cast<int>(settings.trials_per_pilot.value_or(0));
  site.setup = settings.setup;
  site.wrap = settings.wrap;
  site.ask_every_s = std::max(kShortestPauseSeconds, settings.ask_every.value());
  site.commands = {settings.submit.value_or(""), settings.states.value_or(""),
                   settings.cancel.value_or(""), settings.job.value_or("")};
  site.file = file;
  site.where = entry.where;
  if (const Yaml* options = entry.value.find("sbatch")) {
    for (const Yaml& option : options->items) site.options_where.push_back(option.where);
  }
  return site;
}

std::string example_of_sites_file() {
  return "  a100:\n"
         "    engine: slurm\n"
         "    sbatch: [--partition=gpu, --gres=gpu:1, --time=4:00:00]\n"
         "    pilots: 8";
}

/// The document of `file`, a map of sites. Throws ConfigError.
Yaml read_sites(const std::filesystem::path& file, Problems& problems) {
  Yaml document = read_yaml(file, problems);
  if (!document.is_map())
    problems.refuse(document.where, "invalid-value",
                    "expected sites by their names, such as\n" + example_of_sites_file());
  return document;
}

}  // namespace

std::filesystem::path usual_sites_file() {
  const std::filesystem::path config = user_folder("XDG_CONFIG_HOME", ".config");
  return config.empty() ? config : config / "rethink/sites.yaml";
}

Site site_named(const std::string& name, const std::filesystem::path& given) {
  const std::filesystem::path file = given.empty() ? usual_sites_file() : given;
  std::error_code error;
  const bool has_file = !file.empty() && std::filesystem::exists(file, error);
  if (!has_file && name == kLocalSite && given.empty()) return {.name = kLocalSite};
  if (file.empty()) {
    throw ConfigError(
        "unknown-site",
        fmt::format("there is no site '{}': neither XDG_CONFIG_HOME nor HOME is set; name the file "
                    "of sites with "
                    "--sites FILE",
                    name));
  }
  if (!has_file) {
    throw ConfigError(
        "unknown-site",
        fmt::format("there is no site '{}', since there is no file {}; write it, such as\n{}", name,
                    file.string(), example_of_sites_file()));
  }
  Problems problems;
  const Yaml document = read_sites(file, problems);
  const auto entry = std::ranges::find(document.entries, name, &Yaml::Entry::key);
  if (entry == document.entries.end()) {
    problems.throw_if_any();
    if (name == kLocalSite) return {.name = kLocalSite};
    throw ConfigError(
        "unknown-site",
        fmt::format("{}: there is no site '{}'{}; the file has {}", file.string(), name,
                    did_you_mean(name, document.keys()), joined(document.keys())));
  }
  Site site = read_site(*entry, file, problems);
  problems.throw_if_any();
  return site;
}

std::vector<std::string> site_names(const std::filesystem::path& given) {
  const std::filesystem::path file = given.empty() ? usual_sites_file() : given;
  std::vector<std::string> names = {kLocalSite};
  std::error_code error;
  if (!file.empty() && std::filesystem::exists(file, error)) {
    Problems problems;
    for (const std::string& name : read_yaml(file, problems).keys()) names.push_back(name);
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

OptionsSchema site_options() {
  return describe_options<SiteSettings>();
}

}  // namespace rethink
