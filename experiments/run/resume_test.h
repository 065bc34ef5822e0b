// The test behind `rethink selftest --resume TRIAL`: a user's program is killed at three places, resumes from its
// checkpoints, and must end with the metrics and artifacts of an undisturbed run.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rethink {

struct ResumeTestOptions {
  std::filesystem::path rethink;  // the driver program
  std::filesystem::path store;    // with the trial, its code and the trials that it needs
  std::string trial;
  std::filesystem::path folder;         // scratch; made, and left behind when something was wrong
  std::filesystem::path data;           // the folder of data sets
  std::optional<std::string> device{};  // cpu or cuda; none: where the trial ran last
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

struct ResumeReport {
  std::string device;                // where it ran
  std::string proof;                 // the name of what was proved (core/format/resume_proof.h)
  std::vector<std::string> lacks{};  // "dev/acc of step 3: 0.5", which only the undisturbed run has
  std::vector<std::string> differs{};  // which only the resumed run has
  bool repeats = true;                 // a second undisturbed run equals the first
  bool is_exact() const { return lacks.empty() && differs.empty(); }
};

/// Runs the trial two times in `folder`, a third time where they differ. Throws ConfigError where the trial runs no program,
/// keeps fewer than two checkpoints, or was not killed three times, and TrialError where a run fails.
ResumeReport test_resume(const ResumeTestOptions& options);

}  // namespace rethink
