// `rethink score glue --task cola --ref dev.tsv --pred F`: GLUE's metrics. Fractions are from 0 to
// 1 and correlations from -1 to 1; a metric that is not defined is null, such as a correlation with
// equal true values. MRPC's dev split is a part of its file: `--task mrpc --split dev`.
#include <fmt/format.h>

#include <algorithm>

#include "app/driver/score/labelled_scorer.h"
#include "core/error.h"
#include "core/json.h"
#include "datasets/labelled/labelled_table.h"

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

class Glue : public LabelledScorer {
 public:
  void declare(po::options_description& options) const override {
    declare_once(options, "task", "TASK", "glue: " + joined(task_names()));
    LabelledScorer::declare(options);
  }

 protected:
  std::string dataset(const po::variables_map& given) const override {
    const std::vector<std::string> known = task_names();
    if (!given.count("task"))
      throw ConfigError("missing-argument",
                        "rethink score glue needs --task, one of " + joined(known));
    const std::string name = given["task"].as<std::string>();
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw ConfigError("invalid-argument",
                        fmt::format("--task: got '{}', expected one of {}{}", name, joined(known),
                                    did_you_mean(name, known)));
    }
    return kFolder + name;
  }

  std::vector<LabelledExample> read(const std::filesystem::path& reference,
                                    const DatasetFacts& facts) const override {
    return read_labelled_table(reference, *facts.columns, labelled_task(facts));
  }
};

RETHINK_REGISTERED = add_scorer<Glue>("glue", "GLUE's metrics of a task");

}  // namespace
}  // namespace rethink
