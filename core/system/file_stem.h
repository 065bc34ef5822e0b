// Names of files made from names that people chose.
#pragma once

#include <string>

namespace rethink {

/// A name for a file called `name`: of A-Z, a-z, 0-9, _, . and -, beginning with none of . and -.
/// A name that is such a stem stays; any other gets a part of its SHA-256, so that two names have two
/// stems. With `name` of n bytes at most n + 10 bytes.
std::string stem_of_files(const std::string& name);

}  // namespace rethink
