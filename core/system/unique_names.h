// Names that cannot clash: stems of files for names that people chose, and UUIDs.
#pragma once

#include <string>
#include <string_view>

namespace rethink {

/// A name for a file called `name`: of A-Z, a-z, 0-9, _, . and -, beginning with none of . and -.
/// A name that is such a stem stays; any other gets a part of its SHA-256, so that two names have two
/// stems. With `name` of n bytes at most n + 10 bytes.
std::string stem_of_files(const std::string& name);

/// A random UUID (RFC 4122, version 4): "f81d4fae-7dec-41d0-a765-00a0c91e6bf6".
std::string new_uuid();
/// Whether `text` is written as one.
bool is_uuid(std::string_view text);

}  // namespace rethink
