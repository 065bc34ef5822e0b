// JSON values and their canonical text, which is what identities are hashed from.
#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "core/json_fwd.h"

namespace rethink {

/// The one text of a value: sorted keys, no spaces, integers without a point, floats as the
/// shortest decimal that reads back to the same double and always with a point or exponent ("1.0",
/// "1e-05"), so that the schema's type stays visible. Requires: valid UTF-8 strings, no NaN or
/// infinity (asserted).
std::string canonical_json(const Json& value);

/// The shortest decimal that reads back to the same double, always with a point or an exponent.
std::string shortest(double value);

/// The value at "model.attention.kind"; null pointer when there is none.
const Json* find_path(const Json& value, std::string_view dotted);

/// Calls use(dotted key, value) for everything in `object` that is no map with keys in it; a list
/// is one value.
void each_leaf(const Json& object, const std::function<void(const std::string&, const Json&)>& use);

/// Throws ConfigError "what: ... at byte N" when `text` is not JSON or repeats a key.
Json parse_json(std::string_view text, const std::string& what);
/// Whether values lie deeper in one another than parse_json takes them: readers and writers of what was parsed
/// call themselves. Cost: reads the text.
bool is_nested_too_deep(std::string_view text);

/// parse_json of a whole file. Throws MachineError when it cannot be read.
Json read_json(const std::filesystem::path& path);

}  // namespace rethink
