// The trials that tables, figures and claims wait for, and those of them that can be trained on this machine.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/driver/command.h"
#include "app/driver/show/tables/rendering.h"
#include "app/driver/show/tables/report_page.h"

namespace rethink {

/// A table or figure that lacks numbers.
struct AwaitingSpec {
  std::string title;  // "table bet/table1"
  std::map<std::filesystem::path, std::set<std::string>>
      trials{};                   // without a result, by the file of the sweep
  std::set<std::string> lacks{};  // commands that bring the files of trials without an id
};

struct AwaitingSpecs {
  std::vector<AwaitingSpec> waiting;
  std::set<std::string> shown;  // every trial of the specs, also complete trials, and its needs
};

/// Returns the tables and figures of `specs`, and the tables of their claims, that wait for trials
/// or data. A spec that cannot be made is left out, since the report says why.
AwaitingSpecs awaiting_specs(const CommandContext& context, const SelectedSpecs& specs,
                             const RenderingChoices& chosen);

/// The part of these trials that can run here.
struct TrainableSpecs {
  Plans plans;  // by the file of the sweep, without the trials whose data or weights are missing
  std::map<std::string, std::vector<std::string>>
      to_run;                   // trials that a table or figure shows, by the file of the sweep
  std::set<std::string> lacks;  // commands that bring missing data and weights
  std::vector<std::string>
      untrained;            // titles of waiting tables and figures for which no trial can run
  bool all_planned = true;  // no sweep was left out
};

/// `to_run` are the choices for plans to be run on this machine; `chosen` are the choices with
/// which `waiting` was made. Both may lack files. A sweep that cannot run here, for example because
/// it needs a GPU, is reported on standard error and left out. Throws its ConfigError if no sweep
/// can run.
TrainableSpecs trainable_here(const std::vector<AwaitingSpec>& waiting, PlanChoices to_run,
                              const RenderingChoices& chosen, const Schema& schema);

}  // namespace rethink
