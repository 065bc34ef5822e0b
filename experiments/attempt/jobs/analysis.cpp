#include "experiments/attempt/jobs/analyze.h"

namespace rethink {

AnalysisRegistry& analyses() {
  static AnalysisRegistry registry("analysis", "experiments/attempt/analyses");
  return registry;
}

}  // namespace rethink
