#include <algorithm>

#include "experiments/train/schedules.h"

namespace rethink {

ScheduleRegistry& schedules() {
  static ScheduleRegistry registry("schedule", "experiments/train/schedules");
  return registry;
}

double warmup_factor(int64_t step, int64_t warmup) {
  return step >= warmup ? 1.0 : static_cast<double>(step) / static_cast<double>(warmup);
}

}  // namespace rethink
