// Counts in messages.
#pragma once

#include <cstddef>
#include <string>

namespace rethink {

/// "1 trial", "2 trials": `what` is the singular of a noun whose plural adds an s.
std::string counted(size_t count, const char* what);

}  // namespace rethink
