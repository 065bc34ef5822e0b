// `rethink score swag --ref val.csv --pred F`: the share of endings that were chosen rightly.
#include <fmt/format.h>

#include "app/driver/scorers.h"
#include "datasets/endings.h"
#include "datasets/predictions.h"
#include "datasets/scores/labelled_metrics.h"

namespace rethink {
namespace {

class Swag : public FileScorer {
 protected:
  Json score(const std::filesystem::path& reference,
             const po::variables_map& given) const override {
    const std::vector<LabelledExample> examples = read_swag(reference);
    std::vector<double> truth;
    for (const LabelledExample& example : examples) {
      if (!example.label) {
        throw ConfigError(fmt::format("{}: has no labels; expected a file with the column label",
                                      reference.string()));
      }
      truth.push_back(*example.label);
    }
    const LabelledTask task = four_endings();
    const std::vector<double> predicted =
        read_predictions(require_option(given, "swag", "pred"), examples, task);
    Json scores = Json::object();
    for (const std::string& metric : task.metrics)
      scores[metric] = number_or_null(labelled_metric(metric, predicted, truth));
    return scores;
  }
};

const bool registered = add_scorer<Swag>("swag", "SWAG's accuracy");

}  // namespace
}  // namespace rethink
