// A scheduler with a clock and processes that tests move.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "experiments/run/scheduler.h"
#include "tests/support/fake_runner.h"

namespace rethink {

struct World {
  FakeClock clock;
  FakeRunner runner{clock};
  SchedulerListener listener;
  Slots slots;
  Scheduler scheduler;

  explicit World(int slot_count = 2, SchedulerOptions options = {}, std::vector<Gpu> gpus = {})
      : slots(slot_count, {0, 1}, std::move(gpus)),
        scheduler(runner, runner, slots, listener, options, [this] { return clock.now_s; }) {}

  ScheduledTrial& add(const std::string& id, std::vector<std::string> needs = {},
                      TrialState before = TrialState::waiting) {
    added = {};
    added.board.id = id;
    added.board.needs = std::move(needs);
    added.before = before;
    scheduler.add(added);
    return added;
  }
  TrialState state(const std::string& id) const { return scheduler.board().state(id); }

  ScheduledTrial added;
};

}  // namespace rethink
