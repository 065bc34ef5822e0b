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

/// The kind of the artifacts that have predictions as official scorers and servers take them.
inline const std::string kPredictionFile = "prediction_file";

struct SubmittedFile {
  ScoredTrial trial;
  std::string split;
  Artifact artifact;
};

struct Submission {
  std::map<std::string, SubmittedFile> files;  // by what the server wants them called
  std::map<std::string, std::string> missing;  // by the same: why there is none
  std::vector<std::string> others;      // trials that are not done: of which file is not known
  std::set<std::string> without_tests;  // done trials of missing files: data.test was false
};

/// The server's files of `trials`, whose results are below `folder`, the store's. What it wants
/// stands in the facts of the data sets ("submissions"). Throws ConfigError when several trials
/// have predictions for one file, and says in what they differ.
Submission collect_submission(Store& store, const std::filesystem::path& folder,
                              const std::vector<ScoredTrial>& trials);

/// Writes the files, and scores.yaml for the server's answer, to a new folder. Durable. Throws
/// ConfigError when a trial's file is gone or damaged, MachineError.
void write_submission(const Submission& submission, const std::filesystem::path& folder,
                      const std::filesystem::path& store);

}  // namespace rethink
