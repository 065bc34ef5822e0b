#include "core/system/file_stem.h"

#include <cctype>

#include "core/system/hash.h"

namespace rethink {
namespace {

constexpr size_t kHashLetters = 8;

/// Whether it ends as the stems do that are not their names.
bool ends_in_hash(const std::string& name) {
  if (name.size() <= kHashLetters || name[name.size() - kHashLetters - 1] != '-') return false;
  return name.find_first_not_of("0123456789abcdef", name.size() - kHashLetters) ==
         std::string::npos;
}

}  // namespace

std::string stem_of_files(const std::string& name) {
  std::string stem;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    stem += byte < 0x80 && (std::isalnum(byte) || c == '_' || c == '.' || c == '-') ? c : '_';
  }
  if (stem.empty() || stem[0] == '.' || stem[0] == '-') stem.insert(0, "_");
  if (stem == name && !ends_in_hash(name)) return stem;
  return stem + "-" + sha256_hex(name).substr(0, kHashLetters);
}

}  // namespace rethink
