#include "core/counted.h"

#include <fmt/format.h>

namespace rethink {

std::string counted(size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace rethink
