// `rethink score glue --task cola --ref dev.tsv --pred F`: GLUE's metrics. Fractions from 0 to 1,
// or correlations from -1 to 1; null where one is not defined, as the correlation with a constant.
#include <fmt/format.h>

#include <algorithm>

#include "app/driver/scorers.h"
#include "datasets/labelled_table.h"
#include "datasets/predictions.h"
#include "datasets/scores/labelled_metrics.h"

namespace rethink {
namespace {

const std::string kFolder = "glue/";

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (const std::string& name : datasets().names()) {
    if (name.starts_with(kFolder)) names.push_back(name.substr(kFolder.size()));
  }
  return names;
}

class Glue : public FileScorer {
 public:
  void declare(po::options_description& options) const override {
    declare_once(options, "task", "glue: " + joined(task_names()));
    FileScorer::declare(options);
  }

 protected:
  Json score(const std::filesystem::path& reference,
             const po::variables_map& given) const override {
    const std::string name = require_option(given, "glue", "task");
    const std::vector<std::string> known = task_names();
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw ConfigError(fmt::format("--task: got '{}', expected one of {}{}", name, joined(known),
                                    did_you_mean(name, known)));
    }
    const Json facts = datasets().schema(kFolder + name).facts;
    const LabelledTask task = labelled_task(facts);
    const std::vector<LabelledExample> examples =
        read_labelled_table(reference, table_columns(facts.at("columns")), task);
    std::vector<double> truth;
    for (const LabelledExample& example : examples) {
      if (!example.label)
        throw ConfigError(fmt::format("{}: has no labels; expected a file with the column {}",
                                      reference.string(),
                                      facts.at("columns").at("label").get<std::string>()));
      truth.push_back(*example.label);
    }
    const std::vector<double> predicted =
        read_predictions(require_option(given, "glue", "pred"), examples, task);
    Json scores = Json::object();
    for (const std::string& metric : task.metrics)
      scores[metric] = number_or_null(labelled_metric(metric, predicted, truth));
    return scores;
  }
};

const bool registered = add_scorer<Glue>("glue", "GLUE's metrics of a task");

}  // namespace
}  // namespace rethink
