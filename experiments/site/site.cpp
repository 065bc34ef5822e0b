#include "experiments/site/site.h"

#include <fmt/format.h>

#include <cstdlib>

#include "core/error.h"
#include "core/json.h"
#include "experiments/site/local_engine.h"

namespace rethink {

Json to_json(const Site& site) {
  return {{"name", site.name},         {"engine", site.engine}, {"options", site.options},
          {"pilots", site.pilots},     {"setup", site.setup},   {"wrap", site.wrap},
          {"file", site.file.string()}};
}

Site site_from_json(const Json& json) {
  try {
    Site site;
    site.name = json.at("name");
    site.engine = json.at("engine");
    site.options = json.at("options").get<std::vector<std::string>>();
    site.pilots = json.at("pilots");
    site.setup = json.at("setup");
    site.wrap = json.at("wrap").get<std::vector<std::string>>();
    site.file = json.at("file").get<std::string>();
    return site;
  } catch (const Json::exception& error) {
    throw ConfigError(fmt::format("a site of a plan file is damaged: {}", error.what()));
  }
}

std::unique_ptr<Engine> make_engine(const Site& site) {
  if (site.engine == "local") return std::make_unique<LocalEngine>(site);
  throw ConfigError(fmt::format("{}: site {}: engine: got '{}', expected local", site.file.string(),
                                site.name, site.engine));
}

std::string own_job() {
  const char* job = std::getenv("RETHINK_JOB");
  return job && *job ? job : local_job();
}

}  // namespace rethink
