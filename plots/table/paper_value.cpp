#include "plots/table/paper_value.h"

#include <fmt/format.h>

#include "plots/spec_reader.h"

namespace rethink {
namespace {

/// Behind the last digit; 0: there is none.
size_t end_of_number(const std::string& text) {
  return text.find_last_of("0123456789.") + 1;
}

}  // namespace

std::string PaperValue::mark() const {
  return computed ? "computed" : text.substr(end_of_number(text));
}

std::optional<PaperValue> parse_paper_value(const Yaml& text, Problems& problems) {
  const std::optional<double> value =
      text.is_scalar() ? parse_number(text.scalar.substr(0, end_of_number(text.scalar)))
                       : std::nullopt;
  if (!value) {
    problems.add(
        text.where,
        fmt::format("got '{}', expected the paper's number, such as 54.08 or 54.08*", text.scalar));
    return std::nullopt;
  }
  return PaperValue{*value, text.scalar};
}

}  // namespace rethink
