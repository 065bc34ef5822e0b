// A checksum within a JSON object, for files that a name or another file relies on.
#pragma once

#include "core/json_fwd.h"

namespace rethink {

inline constexpr const char* kChecksumMember = "checksum";

/// The object with a member "checksum": eight hex digits of the CRC-32C of the canonical JSON of
/// all its other members.
Json with_checksum(Json object);

/// Whether the object's members are those that its checksum was made of. True of one without any:
/// older versions wrote none.
bool checksum_holds(const Json& object);

}  // namespace rethink
