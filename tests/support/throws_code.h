// Matchers for the code of an error that a call throws. The words are in tests/golden/messages.txt.
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/error_codes.h"

namespace rethink {

/// The call throws an error with this code.
MATCHER_P(ThrowsCode, code, "") {
  const std::string thrown = error_code_of(arg);
  *result_listener << "whose code is '" << thrown << "'";
  return thrown == code;
}

/// Matches a call that throws mistakes of a file, among them "LINE:COLUMN CODE".
MATCHER_P(ThrowsMistake, mistake, "") {
  const std::vector<std::string> thrown = mistakes_of(arg);
  *result_listener << "whose mistakes are " << testing::PrintToString(thrown);
  return std::ranges::count(thrown, mistake) > 0;
}

}  // namespace rethink
