// A scheduler with a clock and processes that tests control.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "experiments/run/scheduler.h"
#include "tests/support/fake_runner.h"

namespace rethink {

struct CountedLimits : SchedulerListener {
  int limits = 0;
  void limited(const std::string&) override { ++limits; }
};

struct World {
  FakeClock clock;
  FakeRunner runner{clock};
  CountedLimits listener;
  std::deque<PlannedTrial> trials;  // the scheduler has pointers to these
  Slots slots;
  Scheduler scheduler;

  explicit World(int slot_count = 2, SchedulerOptions options = {}, std::vector<Gpu> gpus = {})
      : slots(slot_count, {0, 1}, std::move(gpus)),
        scheduler(runner, runner, slots, listener, options, [this] { return clock.now_s; }) {}

  void add(const std::string& id, std::vector<std::string> needs = {},
           TrialState before = TrialState::waiting) {
    PlannedTrial& trial = trials.emplace_back();
    trial.trial.id = id;
    if (!needs.empty()) trial.trial.needs["needs"] = std::move(needs);
    scheduler.add(trial, before);
  }
  void add_with(const StageResources& resources, const std::string& id) {
    PlannedTrial& trial = trials.emplace_back();
    trial.trial.id = id;
    trial.trial.config = Json::object();
    trial.resources = resources;
    scheduler.add(trial);
  }
  size_t index(const std::string& id) const { return scheduler.board().index_of(id); }
  TrialState state(const std::string& id) const { return scheduler.board().state(id); }
};

}  // namespace rethink
