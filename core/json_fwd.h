// The name Json without its definition, which takes a second to compile. Enough for references;
// core/json_value.h holds a value.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace rethink {

/// Objects keep their keys sorted.
using Json = nlohmann::json;

}  // namespace rethink
