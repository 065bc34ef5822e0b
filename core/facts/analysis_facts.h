// The facts that an analysis declares (experiments/attempt/jobs/analyze.h).
#pragma once

#include "core/config/options.h"

namespace rethink {

struct AnalysisFacts {
  std::vector<std::string> reads{};
  std::string weights_of{};
  std::vector<std::string> leaves{};
  void fields(Fields& field);
};

}  // namespace rethink
