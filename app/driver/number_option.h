// Options that take a whole number.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "app/driver/command.h"

namespace rethink {

/// The numbers that an option takes.
struct WholeNumbers {
  int64_t least = 0;
  int64_t most = std::numeric_limits<int64_t>::max();
};

/// The value of --NAME, which is declared as a text; nothing where it is not given and has no
/// default. Throws ConfigError, which names the option, the value and what is expected, when the
/// value is not a whole number of `allowed`.
std::optional<int64_t> number_given(const po::variables_map& given, const std::string& name,
                                    const WholeNumbers& allowed);

}  // namespace rethink
