// A file in which a person records a server's answer (docs/tables.md, "Scores of a server"):
//
//   from: gluebenchmark.com        # the source, and
//   date: 2026-11-20               # its day
//   sweep: sparsebert/glue         # which trials, as a table does
//   profile: paper
//   stage: best
//   where: {pretrain.arm: dense}
//   seed: 0
//   scores:
//     - {where: {task: CoLA}, test: 52.3}
//     - {where: {task: MNLI}, test: 84.8, test_mismatched: 84.1}
//     - {trial: 0a1b2c3d, test: 66.9}   # or by its id
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/driver/score/scored_trials.h"
#include "core/config/note.h"
#include "core/config/schema.h"
#include "results/folders/outside_scores.h"

namespace rethink {

/// An entry of the file.
struct GivenScores {
  ScoredTrial trial;
  std::vector<OutsideScore> scores;  // without `at`, since they are not imported yet
};

struct ScoresFile {
  std::vector<GivenScores> entries;
  std::vector<std::string> empty;  // names without a number yet: "test of task=CoLA seed 0"
  std::vector<Note> notes;         // valid but suspicious entries
};

/// Reads such a file. `folder` is the store's. Throws ConfigError with every problem and its
/// position: an entry of no trial, of several or of one that is not done; a score that is not a
/// number, is outside its metric's range or is given twice; a day that is not in the calendar.
ScoresFile read_scores_file(const std::filesystem::path& file, const Schema& schema, Store& store,
                            const std::filesystem::path& folder);

}  // namespace rethink
