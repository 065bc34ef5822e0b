// What trials recorded beside metrics, by name: for who misspelt one.
#pragma once

#include <string>
#include <vector>

#include "results/store/store.h"

namespace rethink {

struct RecordedNames {
  std::vector<std::string> measurements;  // "parameters"
  std::vector<std::string> facts;  // numbers that artifacts say of themselves: "mask/sparsity"
};

/// Of any of `trials`, each once, sorted. Cost: two queries.
RecordedNames recorded_names(Store& store, const std::vector<std::string>& trials);

}  // namespace rethink
