#include "core/uuid.h"

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

}  // namespace rethink
