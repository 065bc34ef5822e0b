// A store with trials in every state that folders can have, for tests of commands on all trials.
#pragma once

#include <string>

#include "tests/unit/results/trial_maker.h"

namespace rethink {

/// Fills the store with five trials: done; failed after two attempts, with a need of the done trial; blocked by the failure; given up; not started.
inline void fill(const std::filesystem::path& store) {
  TrialMaker(store, "a", {{"steps", 10}})
      .attempt(1, {start_event(1, 0), metric_event("loss", 5, 3),
                   measurement_event("steps_per_s", 5, 99)})
      .ended(1, {{"outcome", "killed"}, {"message", "signal 9"}, {"status", 9}})
      .attempt(2, {start_event(2, 5), metric_event("loss", 10, 1), end_event("done")})
      .result(2, "done", {{"dev/loss", 1.0}});
  TrialMaker b(store, "b", {{"steps", 20}});
  b.needs("init", {id_of("a")}).attempt(1, {start_event(1, 0), end_event("failed")});
  write_trial_state(b.folder(), TrialState::failed, "no data");
  TrialMaker(store, "c").needs("init", {id_of("b")});
  TrialMaker(store, "d");
  TrialMaker(store, "e").needs("init", {id_of("a")});
  write_sweep_file(store,
                   {"paper/masks",
                    "",
                    "",
                    "masks.yaml",
                    {{id_of("a"), "train", "", {{"arm", "Star"}}}, {id_of("d"), "train", "", {}}},
                    {id_of("d")}});
}

inline std::string state_of(const std::filesystem::path& store, const std::string& name) {
  return to_text(Store(store, Store::Access::read).trial(id_of(name))->state);
}

/// Adds a done trial that has one artifact, "abc".
inline TrialMaker with_artifact(const std::filesystem::path& store) {
  TrialMaker trial(store, "a");
  trial
      .attempt(1, {start_event(1, 0),
                   {{"event", "artifact"},
                    {"name", "weights"},
                    {"kind", "weights"},
                    {"file", "artifacts/w"},
                    {"sha256", std::string(64, '0')},
                    {"bytes", 3},
                    {"facts", Json::object()}}})
      .result(1);
  write_text(trial.folder() / "artifacts" / "w", "abc");
  return trial;
}

}  // namespace rethink
