// Where a value lies in the text of a JSON file, and what is wrong with text that is no JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"

namespace rethink {

struct JsonPlace {
  size_t line = 1, column = 1;  // bytes, from 1
};

/// The place of the value behind these keys (texts) and indices (numbers) from the root. Of a way that
/// leads nowhere, the place of the last value on it. Requires: `text` is valid JSON.
JsonPlace place_in_json(std::string_view text, const std::vector<Json>& steps);

/// "not valid JSON at byte 88", or that the text is JSON Lines. `error`: that nlohmann threw for it.
std::string trouble_with_json(std::string_view text, const Json::exception& error);

}  // namespace rethink
