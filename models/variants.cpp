#include "models/variants.h"

#include <algorithm>

#include "core/config/schema.h"
#include "models/attention/attention.h"

namespace rethink {

std::vector<std::string> variants_of(const AttentionChoice& attention) {
  std::vector<std::string> names = {attention.name};
  for (const auto& entry : attention.common.at) names.push_back(entry.name);
  return names;
}

bool minds_padding(const AttentionChoice& attention) {
  return std::ranges::any_of(variants_of(attention), [](const std::string& variant) {
    return attentions().schema(variant).facts.value("minds_padding", false);
  });
}

}  // namespace rethink
