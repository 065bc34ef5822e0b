#include "app/driver/number_option.h"

#include <fmt/format.h>

#include <charconv>

#include "core/error.h"

namespace rethink {

std::optional<int64_t> number_given(const po::variables_map& given, const std::string& name,
                                    const WholeNumbers& allowed) {
  if (!given.count(name)) return std::nullopt;
  const std::string text = given[name].as<std::string>();
  int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && stop == end && number >= allowed.least && number <= allowed.most)
    return number;
  const bool has_end =
      allowed.most < WholeNumbers{}.most || error == std::errc::result_out_of_range;
  throw ConfigError(fmt::format("--{}: got '{}', expected a whole number{}", name, text,
                                has_end ? fmt::format(" from {} to {}", allowed.least, allowed.most)
                                        : fmt::format(", {} or more", allowed.least)));
}

}  // namespace rethink
