#include "core/missing_data.h"

#include <fmt/format.h>

#include "core/json.h"

namespace rethink {

std::string how_to_get_data(const std::string& dataset, const Json& facts) {
  if (facts.contains("by_hand")) return facts.at("by_hand");
  if (facts.contains("package"))
    return fmt::format("install Debian's package {0} (apt-get install {0})",
                       facts.at("package").get<std::string>());
  return fmt::format("run `rethink data get {}`", dataset);
}

}  // namespace rethink
