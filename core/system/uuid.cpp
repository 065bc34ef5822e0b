#include "core/system/uuid.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <random>

namespace rethink {

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
