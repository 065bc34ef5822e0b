// The interface and the registry of learning-rate schedules; each is a class and a registration in
// schedules.cpp. A schedule is a pure function of the step, so it has no state to save.
#pragma once

#include <cstdint>

#include "core/config/registry.h"

namespace rethink {

class Schedule {
 public:
  virtual ~Schedule() = default;
  /// Returns the factor of the learning rate in update number `step`, from 1 to the total.
  virtual double factor(int64_t step) const = 0;
};

using ScheduleRegistry = Registry<Schedule, NoFields, int64_t>;  // the total number of steps
ScheduleRegistry& schedules();

}  // namespace rethink
