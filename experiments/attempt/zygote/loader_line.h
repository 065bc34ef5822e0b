// What the system's loader says of a program whose libraries it cannot load.
#pragma once

#include <string>
#include <vector>

namespace rethink {

/// Runs a program that cannot be loaded once more and returns the first line that it prints on standard
/// error, without the program's name: "error while loading shared libraries: libtorch.so: ..."; "" where it
/// prints none. Its first start has printed the line, but not to us.
std::string line_of_loader(const std::vector<std::string>& words);

}  // namespace rethink
