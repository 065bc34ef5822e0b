// Names that no two machines make.
#pragma once

#include <string>
#include <string_view>

namespace rethink {

/// A random UUID (RFC 4122, version 4): "f81d4fae-7dec-41d0-a765-00a0c91e6bf6".
std::string new_uuid();
/// Whether `text` is written as one.
bool is_uuid(std::string_view text);

}  // namespace rethink
