// JSON values: parsing, canonical text (from which identities are hashed), and the position of a
// value in a text.
#pragma once

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_fwd.h"

namespace rethink {

/// Returns the canonical text of a value: sorted keys, no spaces, integers without a point, and
/// floats as the shortest decimal that reads back to the same double, always with a point or
/// exponent ("1.0", "1e-05"), so that the schema's type stays visible. Requires: valid UTF-8
/// strings, no NaN or infinity (asserted).
std::string canonical_json(const Json& value);

/// The shortest decimal that reads back to the same double, always with a point or an exponent.
std::string shortest(double value);

/// Returns the index that a part of a path means in a list, such as 0 in
/// "model.attention.at.0.layers"; nothing if it is not an index.
std::optional<size_t> list_index(std::string_view part);

/// Returns the value at "model.attention.kind" or "model.attention.at.0.kind"; null if it does not
/// exist.
const Json* find_path(const Json& value, std::string_view dotted);

/// Calls use(dotted key, value) for each value in `object` that is not a map with keys. A list is
/// one value.
void each_leaf(const Json& object, const std::function<void(const std::string&, const Json&)>& use);

/// Throws ConfigError "what: ... at byte N" when `text` is not JSON or repeats a key.
Json parse_json(std::string_view text, const std::string& what);
/// Returns "not valid JSON at byte 88", or that the text is JSON Lines. `error` is nlohmann's exception for it.
std::string trouble_with_json(std::string_view text, const Json::exception& error);
/// Returns whether values are nested deeper than parse_json allows, since readers and writers of
/// parsed values are recursive. Cost: reads the text.
bool is_nested_too_deep(std::string_view text);

struct JsonPlace {
  size_t line = 1, column = 1;  // bytes, from 1
};

/// Returns the position of the value at `steps`: keys (texts) and indices (numbers) from the root. If no value is
/// there, returns the position of the last value on the way. Requires: `text` is valid JSON.
JsonPlace place_in_json(std::string_view text, const std::vector<Json>& steps);

}  // namespace rethink
