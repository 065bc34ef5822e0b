#include "core/facts/facts_types.h"

#include "core/facts/analysis_facts.h"
#include "core/facts/attention_facts.h"
#include "core/facts/dataset_facts.h"
#include "core/facts/job_facts.h"
#include "core/facts/mask_facts.h"
#include "core/facts/metric_facts.h"

namespace rethink {

const OptionsType& facts_type(const std::string& registry) {
  static const std::map<std::string, const OptionsType*> types = {
      {"analysis", &kOptionsType<AnalysisFacts>}, {"attention", &kOptionsType<AttentionFacts>},
      {"dataset", &kOptionsType<DatasetFacts>},   {"job", &kOptionsType<JobFacts>},
      {"mask", &kOptionsType<MaskFacts>},         {"metric", &kOptionsType<MetricFacts>}};
  const auto found = types.find(registry);
  return found == types.end() ? kOptionsType<NoFields> : *found->second;
}

}  // namespace rethink
