#include "experiments/site/site.h"

#include <fmt/format.h>

#include <cstdlib>

#include "core/error.h"
#include "core/json.h"
#include "experiments/site/local_engine.h"
#include "experiments/site/queue_engine.h"

namespace rethink {

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

std::unique_ptr<Engine> make_engine(const Site& site) {
  if (site.engine == "local") return std::make_unique<LocalEngine>(site);
  if (site.engine == "slurm") return std::make_unique<QueueEngine>(site, slurm_queue());
  if (site.engine == "commands") return std::make_unique<QueueEngine>(site, queue_of(site));
  throw ConfigError("invalid-value",
                    fmt::format("{}: site {}: engine: got '{}', expected slurm, commands or local",
                                site.file.string(), site.name, site.engine));
}

std::string own_job() {
  const char* job = std::getenv("RETHINK_JOB");
  return job && *job ? job : local_job();
}

}  // namespace rethink
