#include "experiments/site/site.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "core/error.h"
#include "core/json.h"
#include "experiments/site/local_engine.h"
#include "experiments/site/queue_engine.h"

namespace rethink {
namespace {

/// Nothing if the variable is missing or is not a whole number.
std::optional<int64_t> number_in_environment(const char* name) {
  const char* text = std::getenv(name);
  if (!text) return std::nullopt;
  const std::string_view digits = text;
  int64_t number = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool is_whole = error == std::errc() && stop == digits.data() + digits.size();
  return is_whole && number >= 0 ? std::optional(number) : std::nullopt;
}

}  // namespace

Json to_json(const Site& site) {
  return {{"name", site.name},
          {"engine", site.engine},
          {"options", site.options},
          {"pilots", site.pilots},
          {"trials_per_pilot", site.trials_per_pilot},
          {"setup", site.setup},
          {"wrap", site.wrap},
          {"ask_every_s", site.ask_every_s},
          {"submit", site.commands.submit},
          {"states", site.commands.states},
          {"cancel", site.commands.cancel},
          {"job", site.commands.job},
          {"file", site.file.string()}};
}

Site site_from_json(const Json& json) {
  try {
    Site site;
    site.name = json.at("name");
    site.engine = json.at("engine");
    site.options = json.at("options").get<std::vector<std::string>>();
    site.pilots = json.at("pilots");
    site.trials_per_pilot = json.at("trials_per_pilot");
    site.setup = json.at("setup");
    site.wrap = json.at("wrap");
    site.ask_every_s = json.at("ask_every_s");
    site.commands = {json.at("submit"), json.at("states"), json.at("cancel"), json.at("job")};
    site.file = json.at("file").get<std::string>();
    return site;
  } catch (const Json::exception& error) {
    throw ConfigError("damaged-file",
                      fmt::format("a site of a plan file is damaged: {}", error.what()));
  }
}

bool runs_on_this_machine(const Site& site) {
  return site.engine == "local";
}

std::unique_ptr<Engine> make_engine(const Site& site) {
  if (site.engine == "local") return std::make_unique<LocalEngine>(site);
  if (site.engine == "slurm") return std::make_unique<QueueEngine>(site, slurm_queue());
  if (site.engine == "commands") return std::make_unique<QueueEngine>(site, queue_of(site));
  throw ConfigError("invalid-value",
                    fmt::format("{}: site {}: engine: got '{}', expected slurm, commands or local",
                                site.file.string(), site.name, site.engine));
}

Engine& Engines::of(const Site& site) {
  std::unique_ptr<Engine>& engine = engines_[to_json(site).dump()];
  if (!engine) engine = make_engine(site);
  return *engine;
}

std::string own_job() {
  const char* job = std::getenv("RETHINK_JOB");
  return job && *job ? job : local_job();
}

int own_restart() {
  return static_cast<int>(number_in_environment("SLURM_RESTART_COUNT").value_or(0));
}

size_t cpus_of_job() {
  const auto cpus = number_in_environment("SLURM_CPUS_ON_NODE");
  return cpus && *cpus > 0 ? static_cast<size_t>(*cpus) : std::numeric_limits<size_t>::max();
}

}  // namespace rethink
