#include "core/checksum.h"

#include <fmt/format.h>

#include "core/hash.h"
#include "core/json.h"

namespace rethink {
namespace {

constexpr const char* kChecksum = "checksum";

}  // namespace

Json with_checksum(Json object) {
  object.erase(kChecksum);
  object[kChecksum] = fmt::format("{:08x}", crc32c(canonical_json(object)));
  return object;
}

bool checksum_holds(const Json& object) {
  return !object.contains(kChecksum) || object == with_checksum(object);
}

}  // namespace rethink
