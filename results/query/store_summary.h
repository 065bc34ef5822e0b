// A store in two numbers, for the head of a page.
#pragma once

#include <cstdint>
#include <string>

#include "results/store/store.h"

namespace rethink {

struct StoreSummary {
  int64_t done = 0;    // trials
  std::string newest;  // when the last of them ended, "2026-01-31T12:34:56.789Z"; empty: none says
};

StoreSummary summary_of(Store& store);

}  // namespace rethink
