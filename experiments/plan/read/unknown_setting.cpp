#include "experiments/plan/read/unknown_setting.h"

#include <fmt/format.h>

#include "core/config/option_names.h"
#include "core/config/schema.h"

namespace rethink {

std::string unknown_setting(const SweepSpec& sweep, const std::string& key, const Schema& schema) {
  std::set<std::string> known;
  std::vector<std::string> all;
  std::string meant;
  for (const StageSpec& stage : sweep.stages) {
    for (const std::string& axis : stage.axis_names()) known.insert(axis);
    if (key.starts_with(stage.name + ".")) meant = "; did you mean 'stages." + key + "'?";
    const PluginSchema* job = schema.find("job", stage.job);
    if (!job) continue;
    for (const std::string& name : job->options.names()) known.insert(name);
    for (const std::string& name : option_names(job->options.fields, schema)) all.push_back(name);
  }
  all.insert(all.begin(), known.begin(), known.end());
  return fmt::format("no stage has an option or axis '{}'{}; known: {}", key,
                     meant.empty() ? did_you_mean(key, all) : meant,
                     joined({known.begin(), known.end()}));
}

}  // namespace rethink
