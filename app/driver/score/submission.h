// A submission to GLUE's server: a file of predictions for each of its test sets, from the trials
// of several tasks.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/driver/score/scored_trials.h"
#include "experiments/attempt/job.h"

namespace rethink {

/// The kind of artifacts with predictions in the form of official scorers and servers.
inline const std::string kPredictionFile = "prediction_file";

struct SubmittedFile {
  ScoredTrial trial;
  std::string split;
  Artifact artifact;
};

struct Submission {
  std::map<std::string, SubmittedFile> files;  // by the file name that the server expects
  std::map<std::string, std::string> missing;  // by the same names: why the file is missing
  std::vector<std::string> others;             // trials that are not done; their files are unknown
  std::set<std::string> without_tests;         // done trials of missing files: data.test was false
};

/// Returns the server's files from `trials`, whose results are below `folder`, the store's folder.
/// The facts of the data sets say what the server expects ("submissions"). Throws ConfigError if
/// several trials have predictions for one file, with the differences between them.
Submission collect_submission(Store& store, const std::filesystem::path& folder,
                              const std::vector<ScoredTrial>& trials);

/// Writes the files, and scores.yaml for the server's answer, to a new folder. Durable. Throws
/// ConfigError if a trial's file is missing or damaged, and MachineError.
void write_submission(const Submission& submission, const std::filesystem::path& folder,
                      const std::filesystem::path& store);

}  // namespace rethink
