#include "core/philox.h"

#include <gtest/gtest.h>

#include <array>

namespace rethink {
namespace {

using Words = std::array<uint32_t, 4>;

Words words(const PhiloxBlock& block) {
  return {block.word[0], block.word[1], block.word[2], block.word[3]};
}

// The answers of philox4x32-10 are those published with Random123 (kat_vectors). Its counter of four
// words is our (counter, stream), low word first; its key is our seed.
TEST(Philox, GivesThePublishedAnswerForZeros) {
  EXPECT_EQ(words(philox({0, 0}, 0)), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
}

TEST(Philox, GivesThePublishedAnswerForOnes) {
  const uint64_t ones = ~uint64_t{0};
  EXPECT_EQ(words(philox({ones, ones}, ones)),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
}

TEST(Philox, GivesThePublishedAnswerForTheDigitsOfPi) {
  const PhiloxKey key{.seed = 0x299f31d0a4093822, .stream = 0x0370734413198a2e};
  EXPECT_EQ(words(philox(key, 0x85a308d3243f6a88)),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, UniformNumbersStayBelowOne) {
  EXPECT_EQ(philox_uniform(0), 0.0f);
  EXPECT_LT(philox_uniform(0xffffffff), 1.0f);
}

}  // namespace
}  // namespace rethink
