// pilots/<set>/plan.json: what the pilots of one submission need to run its trials, so that no job on a cluster plans or
// opens the database.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/plan/plan.h"
#include "experiments/run/board.h"
#include "experiments/site/site.h"

namespace rethink {

/// A trial that is not done, in the form in which a pilot's board adds it. `outlook.resources` are those of its first attempt.
/// The device auto becomes a GPU if the pilot's machine has one.
struct PilotTrial {
  PlannedTrial planned;
  TrialState before = TrialState::waiting;
  TrialOutlook outlook{};
  bool goes_on = false;  // resumes from a checkpoint, according to the index
};

struct PilotPlan {
  std::string build;  // of the program that planned; pilots of another build run nothing
  Site site{};
  std::filesystem::path data{};
  int slots = 0;  // of each pilot; 0: as many as the cores of its machine carry
  bool fail_fast = false;
  std::map<std::string, std::filesystem::path> checkouts{};  // of programs, by the hash of the code
  std::vector<PilotTrial> trials{};                          // in the plans' order
};

/// Durable. Throws as write_file_durably.
void write_pilot_plan(const std::filesystem::path& file, const PilotPlan& plan);
/// Throws ConfigError if the file is damaged, MachineError if it cannot be read.
PilotPlan read_pilot_plan(const std::filesystem::path& file);

}  // namespace rethink
