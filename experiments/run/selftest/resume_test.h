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
  std::filesystem::path folder;         // scratch; created, and kept if something was wrong
  std::filesystem::path data;           // the folder of data sets
  std::optional<std::string> device{};  // cpu or cuda; none: where the trial last ran
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

/// A metric or an artifact that differs.
struct ResumeDifference {
  std::string what;                  // "dev/acc of step 3", "artifact weights"
  std::string undisturbed, resumed;  // "0.5", "SHA-256 ab12..."; empty: that run lacks it
};

struct ResumeReport {
  std::string device;  // where it ran
  std::string proof;   // the name of what was proved (core/store_files/resume_proof.h)
  std::vector<ResumeDifference> differences{};  // by step; artifacts last
  bool repeats = true;                          // a second undisturbed run equals the first
  bool is_exact() const { return differences.empty(); }
};

/// Runs the trial twice in `folder`, and a third time if the results differ. Throws ConfigError if the trial runs no
/// program, keeps fewer than two checkpoints, or was not killed three times, and TrialError if a run fails.
ResumeReport test_resume(const ResumeTestOptions& options);

}  // namespace rethink
