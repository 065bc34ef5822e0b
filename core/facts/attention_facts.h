// The facts that an attention variant declares (models/attention/attention.h).
#pragma once

#include "core/config/options.h"

namespace rethink {

struct AttentionFacts {
  std::string weights{};
  std::map<std::string, std::string> exceptions{};
  std::vector<std::string> side{};
  std::vector<std::string> reads{}, leaves{};
  bool minds_padding = false;
  bool learns_scores = false;
  std::vector<std::string> segment_memory{};
  std::map<std::string, std::map<std::string, std::string>> looks_ahead{};
  void fields(Fields& field);
};

}  // namespace rethink
