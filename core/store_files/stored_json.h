// The small JSON files of a store (docs/store.md): each is one object with a checksum of all its
// members. Version 0.1.0 wrote most of them without a checksum. Such a file is checked member by
// member, and an unknown member counts as damage, since it may be misspelt. If the checksum holds,
// unknown members come from a newer version and are ignored.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/files/store_file.h"
#include "core/format/json_shape.h"
#include "core/json.h"

namespace rethink {

struct StoredJson {
  Json object;               // without its checksum; of a damaged file, the part that could be read
  std::string damage;        // what is wrong; empty if nothing
  bool has_checksum = true;  // false: a file of version 0.1.0
  bool checksum_fits = false;
  bool is_sound() const { return damage.empty(); }
};

/// The text of such a file. Requires: an object of valid UTF-8, without NaN or infinity.
std::string stored_text(Json object);

/// Never throws for the contents of the text.
StoredJson stored_json(std::string_view text, const JsonShape& shape);
/// Reads a file. Something that is not a file, or has more than `most` bytes, is damaged. Throws
/// MachineError if the file cannot be read.
StoredJson read_stored_json(const std::filesystem::path& file, const JsonShape& shape,
                            uint64_t most = kMostJsonBytes);

/// Returns parse_json of read_store_file without a check of the checksum. Throws as both.
Json read_store_json(const std::filesystem::path& path, uint64_t most = kMostJsonBytes);

/// A checksum within a JSON object, for files that a name or another file relies on.
inline constexpr const char* kChecksumMember = "checksum";

/// Eight hex digits: the CRC-32C of the canonical JSON of all other members.
std::string checksum_text(std::string_view canonical);
/// The object with a member "checksum".
Json with_checksum(Json object);

/// Returns whether the object's checksum matches its members. True without a checksum, as in older
/// versions.
bool checksum_holds(const Json& object);

}  // namespace rethink
