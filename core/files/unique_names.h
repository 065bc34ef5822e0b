// Names that cannot clash: stems of files for names that people chose, and UUIDs.
#pragma once

#include <string>
#include <string_view>

namespace rethink {

/// Returns a file name for `name`, of A-Z, a-z, 0-9, _, . and -, that begins with neither . nor -.
/// A name of this form is returned unchanged. Any other name gets a part of its SHA-256, so that
/// different names have different stems. It has at most n + 10 bytes for a `name` of n bytes.
std::string stem_of_files(const std::string& name);

/// A random UUID (RFC 4122, version 4): "f81d4fae-7dec-41d0-a765-00a0c91e6bf6".
std::string new_uuid();
/// Returns whether `text` has the form of a UUID.
bool is_uuid(std::string_view text);

}  // namespace rethink
