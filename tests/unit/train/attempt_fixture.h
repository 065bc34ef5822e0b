// Fixture that runs one attempt of a job in a temporary folder, without further processes.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/json.h"
#include "core/store_files/event.h"
#include "experiments/attempt/checkpoint_folder.h"
#include "experiments/attempt/event_log.h"
#include "experiments/attempt/job.h"
#include "tests/support/temp_folder.h"

namespace rethink {

/// Returns options of a language model that trains in milliseconds, merged with `changes`.
inline Json tiny_lm(const Json& changes) {
  Json options = {
      {"data",
       {{"dataset", "synthetic_language"}, {"sentences", 300}, {"vocabulary", 60}, {"length", 12}}},
      {"model",
       {{"layers", 2},
        {"d_model", 16},
        {"heads", 2},
        {"ffn", 32},
        {"attention", {{"kind", "dense"}}}}},
      {"optimizer", {{"name", "adam"}, {"lr", 0.01}}},
      {"batch", 16}};
  options.merge_patch(changes);
  return options;
}

class AttemptFixture {
 public:
  explicit AttemptFixture(const Json& options, int64_t seed = 0, const std::string& job = "lm") {
    runtime.cache = folder_ / "cache";
    trial_.job = job;
    trial_.config = jobs().completed(job, options);
    trial_.seed = seed;
  }

  /// Runs one attempt. A second call resumes from the first call's checkpoints.
  JobOutcome run() {
    ++attempts_;
    EventLog events(event_file(attempts_));
    CheckpointFolder checkpoints(folder_ / "checkpoints", events);
    JobContext context{.trial = trial_,
                       .runtime = runtime,
                       .inputs = inputs,
                       .parents = {},
                       .events = events,
                       .checkpoints = checkpoints,
                       .artifacts = folder_ / "artifacts",
                       .stop = stop,
                       .published = {}};
    const JobOutcome outcome = jobs().make(trial_.job, trial_.config)->run(context);
    published_ = context.published;
    result_ = context.result;
    return outcome;
  }

  /// Returns "split/name step": value, as the driver keeps them: a start event drops the rows above its
  /// step.
  std::map<std::string, double> metrics() const {
    std::map<std::string, double> kept;
    std::map<std::string, int64_t> step_of;
    for_each_event([&](const Json& event) {
      if (event.at("event") == "start") {
        for (const auto& [key, step] : step_of) {
          if (step > event.at("resume_step").get<int64_t>()) kept.erase(key);
        }
      }
      if (event.at("event") != "metric" || !event.at("value").is_number()) return;
      const int64_t step = event.at("step").get<int64_t>();
      const std::string key = event.at("split").get<std::string>() + "/" +
                              event.at("name").get<std::string>() + " " + std::to_string(step);
      kept[key] = event.at("value").get<double>();
      step_of[key] = step;
    });
    return kept;
  }

  std::string messages() const {
    std::string all;
    for_each_event([&](const Json& event) {
      if (event.at("event") == "message") all += event.at("text").get<std::string>() + "\n";
    });
    return all;
  }

  /// Returns the events of one kind, over all attempts.
  std::vector<Json> events(const std::string& kind) const {
    std::vector<Json> found;
    for_each_event([&](const Json& event) {
      if (event.at("event") == kind) found.push_back(event);
    });
    return found;
  }

  int64_t last_step() const {
    int64_t last = 0;
    for (const Json& event : events("metric"))
      last = std::max(last, event.at("step").get<int64_t>());
    return last;
  }

  const std::vector<Artifact>& published() const { return published_; }
  const Json& result() const { return result_; }
  std::filesystem::path path(const std::string& name) const { return folder_ / name; }

  Runtime runtime;
  std::map<std::string, std::vector<Artifact>> inputs;
  std::atomic<bool> stop = false;

 private:
  std::filesystem::path event_file(int attempt) const {
    return folder_ / ("events-" + std::to_string(attempt) + ".jsonl");
  }

  void for_each_event(const std::function<void(const Json&)>& take) const {
    for (int attempt = 1; attempt <= attempts_; ++attempt)
      read_events(event_file(attempt), 0, take);
  }

  TempFolder folder_;
  Trial trial_;
  int attempts_ = 0;
  std::vector<Artifact> published_;
  Json result_;
};

inline std::vector<Artifact> of_kind(const AttemptFixture& attempt, const std::string& kind) {
  std::vector<Artifact> found;
  for (const Artifact& artifact : attempt.published()) {
    if (artifact.kind == kind) found.push_back(artifact);
  }
  return found;
}

inline Artifact only(const std::vector<Artifact>& artifacts) {
  EXPECT_EQ(artifacts.size(), 1u);
  return artifacts.at(0);
}

}  // namespace rethink
