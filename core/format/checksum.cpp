#include "core/format/checksum.h"

#include <fmt/format.h>

#include "core/json.h"
#include "core/system/hash.h"

namespace rethink {

Json with_checksum(Json object) {
  object.erase(kChecksumMember);
  object[kChecksumMember] = fmt::format("{:08x}", crc32c(canonical_json(object)));
  return object;
}

bool checksum_holds(const Json& object) {
  return !object.contains(kChecksumMember) || object == with_checksum(object);
}

}  // namespace rethink
