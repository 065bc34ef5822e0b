#include "core/yaml/text_with_unit.h"

#include <charconv>
#include <map>
#include <optional>

namespace rethink {
namespace {

constexpr double kMostWrittenSeconds = 1e9, kMostWrittenBytes = 1e18;

/// "12h", "15min", "1.5s" in seconds, "9GiB" in bytes; nothing for text of another form, or for a
/// value above `most`.
std::optional<double> with_unit(const std::string& text, const std::map<std::string, double>& units,
                                double most) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const auto unit = units.find(std::string(stop, end));
  if (error != std::errc() || unit == units.end()) return std::nullopt;
  value *= unit->second;
  return value > 0 && value <= most ? std::optional(value) : std::nullopt;
}

std::optional<double> seconds_in(const std::string& text) {
  return with_unit(text, {{"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}}, kMostWrittenSeconds);
}

/// 0 means "auto".
std::optional<double> bytes_in(const std::string& text) {
  if (text == "auto") return 0;
  return with_unit(text,
                   {{"KiB", 1024.0},
                    {"MiB", 1048576.0},
                    {"GiB", 1073741824.0},
                    {"KB", 1e3},
                    {"MB", 1e6},
                    {"GB", 1e9}},
                   kMostWrittenBytes);
}

}  // namespace

const TextForm kDurationForm = {"a duration such as 30s, 15min, 12h or 2d", "^[0-9.]+(s|min|h|d)$",
                                seconds_in};
const TextForm kSizeForm = {"auto or a size such as 9GiB", "^(auto|[0-9.]+[KMG]i?B)$", bytes_in};

}  // namespace rethink
