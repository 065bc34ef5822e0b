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

std::string trouble_of_data_folder(const std::filesystem::path& data) {
  std::error_code unknown;
  if (data.empty() || std::filesystem::is_directory(data, unknown)) return "";
  if (std::filesystem::exists(data, unknown)) return data.string() + " is not a folder";
  return "there is no folder " + data.string();
}

}  // namespace rethink
