#include "results/database/curve_tail.h"

#include <fmt/format.h>

namespace rethink {

std::optional<std::string> curve_of_tail(const std::string& name) {
  if (!name.ends_with(kTail)) return std::nullopt;
  return name.substr(0, name.size() - kTail.size());
}

std::string tail_sql(const std::string& trial, const std::string& split, const std::string& curve) {
  const std::string rows = fmt::format(
      "FROM metric m WHERE m.trial = {} AND m.split = {} AND m.name = {}", trial, split, curve);
  return fmt::format(
      "(SELECT iif(count(*) = count(m.value), avg(m.value), NULL) {0} AND m.step >= 0.9 * (SELECT "
      "max(m.step) {0}))",
      rows);
}

}  // namespace rethink
