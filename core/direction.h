// Which values of a metric are better.
#pragma once

#include <string>

namespace rethink {

enum class Direction { unknown, min, max };

/// Returns "min", "max", or "" for an unknown direction.
const char* to_text(Direction direction);
/// Returns `unknown` for a text that is neither "min" nor "max".
Direction direction_named(const std::string& text);

}  // namespace rethink
