// Fixture that runs attempts in real processes of the worker without LibTorch.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "core/store_files/event.h"
#include "core/store_files/trial_folder.h"
#include "tests/support/attempt_store.h"

namespace rethink {

const std::filesystem::path kWorker =
    std::filesystem::path(RETHINK_BINARY_DIR) / "noop/rethink-worker";

/// The events of one attempt so far.
inline std::vector<Json> events_of(const TrialFolder& folder, int64_t number) {
  std::vector<Json> events;
  if (!std::filesystem::exists(folder.events(number))) return events;
  read_events(folder.events(number), 0, [&](const Json& event) { events.push_back(event); });
  return events;
}

class AttemptProcess : public testing::Test {
 protected:
  Trial add(const Json& options) { return store_.add("noop", options, 0); }
  /// Adds a trial that works until it is stopped.
  Trial add_endless() { return add({{"steps", 100000}, {"sleep_ms", 10}}); }
  int run(const Trial& trial) { return run_attempt_of(kWorker, store_.request(trial)); }

  AttemptStore store_;
};

}  // namespace rethink
