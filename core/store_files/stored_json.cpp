#include "core/store_files/stored_json.h"

#include <fmt/format.h>

#include <utility>

#include "core/error.h"
#include "core/files/hash.h"

namespace rethink {
namespace {

/// The canonical JSON of all members but the checksum. It avoids a copy of the members, since a
/// sweep's file has one for each trial.
std::string text_without_checksum(const Json& object) {
  std::string text;
  for (const auto& [name, value] : object.items()) {
    if (name == kChecksumMember) continue;
    text += (text.empty() ? "{" : ",") + canonical_json(name) + ":" + canonical_json(value);
  }
  return text.empty() ? "{}" : text + "}";
}

}  // namespace

std::string stored_text(Json object) {
  return with_checksum(std::move(object)).dump() + "\n";
}

StoredJson stored_json(std::string_view text, const JsonShape& shape) {
  StoredJson stored;
  try {
    stored.object = parse_json(text, "");
  } catch (const ConfigError& error) {
    stored.damage = std::string(error.what()).substr(std::string_view(": ").size());
    return stored;
  }
  stored.has_checksum = stored.object.is_object() && stored.object.contains(kChecksumMember);
  if (stored.has_checksum && !checksum_holds(stored.object)) {
    stored.damage = "its checksum does not fit what it says";
    return stored;
  }
  stored.checksum_fits = stored.has_checksum;
  if (stored.has_checksum) stored.object.erase(kChecksumMember);
  stored.damage =
      shape(stored.object, stored.has_checksum ? UnknownMembers::ignored : UnknownMembers::refused);
  return stored;
}

StoredJson read_stored_json(const std::filesystem::path& file, const JsonShape& shape,
                            uint64_t most) {
  std::string text;
  try {
    text = read_store_file(file, most);
  } catch (const DamagedFile& error) {
    StoredJson stored;
    stored.damage = std::string(error.what()).substr(file.string().size() + 2);  // "PATH: "
    return stored;
  }
  return stored_json(text, shape);
}

Json read_store_json(const std::filesystem::path& path, uint64_t most) {
  return parse_json(read_store_file(path, most), path.string());
}

std::string checksum_text(std::string_view canonical) {
  return fmt::format("{:08x}", crc32c(canonical));
}

Json with_checksum(Json object) {
  object[kChecksumMember] = checksum_text(text_without_checksum(object));
  return object;
}

bool checksum_holds(const Json& object) {
  const auto checksum = object.find(kChecksumMember);
  return checksum == object.end() || *checksum == checksum_text(text_without_checksum(object));
}

}  // namespace rethink
