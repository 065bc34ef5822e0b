#include "experiments/attempt/job.h"

namespace rethink {

JobRegistry& jobs() {
  static JobRegistry registry("job", "experiments/train/jobs");
  return registry;
}

}  // namespace rethink
