#include "core/direction.h"

namespace rethink {

const char* to_text(Direction direction) {
  if (direction == Direction::unknown) return "";
  return direction == Direction::min ? "min" : "max";
}

Direction direction_named(const std::string& text) {
  for (const Direction direction : {Direction::min, Direction::max}) {
    if (text == to_text(direction)) return direction;
  }
  return Direction::unknown;
}

}  // namespace rethink
