// The job `analyze`: runs one of the analyses, without training. The analysis' numbers are metrics
// of a split with the analysis' name.
#include "experiments/attempt/jobs/analyze.h"

namespace rethink {
namespace {

struct AnalyzeOptions {
  Choice<"analysis", "kind"> analysis;
  void fields(Fields& field) { field("analysis", analysis, "the analysis to make").required(); }
};

class Analyze : public Job {
 public:
  explicit Analyze(const AnalyzeOptions& options)
      : analysis_(analyses().make(options.analysis.name, *options.analysis.options)) {}

  JobOutcome run(JobContext& context) override { return analysis_->run(context); }

 private:
  std::shared_ptr<Analysis> analysis_;
};

RETHINK_REGISTERED = jobs().add<AnalyzeOptions>(
    {.name = "analyze",
     .summary = "runs one of the analyses, and trains nothing",
     .facts = {.inputs = {{"init", "weights"}},
               .outputs = {"attention_map", "attended_tokens"},
               .plugin_inputs = {"init"},
               .plugin_outputs = {"attention_map", "attended_tokens"}}},
    [](const AnalyzeOptions& options) { return std::make_shared<Analyze>(options); });

}  // namespace

AnalysisRegistry& analyses() {
  static AnalysisRegistry registry("analysis", "experiments/attempt/analyses");
  return registry;
}

}  // namespace rethink
