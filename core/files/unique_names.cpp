#include "core/files/unique_names.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cstdint>
#include <random>

#include "core/files/hash.h"

namespace rethink {

namespace {

constexpr size_t kHashLetters = 8;

/// Returns whether a name ends like a stem that was changed to be unique.
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

std::string new_uuid() {
  std::random_device random;
  std::array<uint32_t, 4> words{random(), random(), random(), random()};
  words[1] = (words[1] & 0xFFFF0FFFu) | 0x00004000u;  // version 4
  words[2] = (words[2] & 0x3FFFFFFFu) | 0x80000000u;
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:04x}{:08x}", words[0], words[1] >> 16,
                     words[1] & 0xFFFF, words[2] >> 16, words[2] & 0xFFFF, words[3]);
}

bool is_uuid(std::string_view text) {
  constexpr std::string_view kForm = "00000000-0000-0000-0000-000000000000";
  if (text.size() != kForm.size()) return false;
  for (size_t at = 0; at < text.size(); ++at) {
    const bool is_digit = std::string_view("0123456789abcdef").find(text[at]) != kForm.npos;
    if (kForm[at] == '-' ? text[at] != '-' : !is_digit) return false;
  }
  return true;
}

}  // namespace rethink
