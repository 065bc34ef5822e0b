// What trials of a store may differ in, for notes on trials that are averaged together.
#pragma once

#include <string>
#include <vector>

#include "results/store/store.h"

namespace rethink {

struct Setting {
  std::string name;
  std::string sql;  // its value, over trial t; one value for a trial that several sweeps have
  bool of_configuration = false;
};

/// The job, the stage, configuration keys in which trials differ, and labels of stages that trials
/// need (`pretrain.arm`), which are in no configuration of their own.
std::vector<Setting> settings_of_trials(Store& store);

}  // namespace rethink
