// Contract of every mask pattern. Its cells are a pure function of its options, heads and n. It looks in
// both directions, it leaves no row empty, and its diagonal is a separate option. A pattern whose cells
// change for equal options must raise its revision. The golden file has both.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "core/config/schema.h"
#include "core/files/hash.h"
#include "core/json.h"
#include "models/masks/mask.h"
#include "tests/support/golden.h"
#include "tests/support/registry_files.h"

namespace rethink {
namespace {

class MaskContract : public testing::TestWithParam<std::string> {
 protected:
  static Mask made(int64_t n, bool diagonal = true, int64_t heads = 1) {
    return make_mask({GetParam(), Json::object(), {diagonal}}, heads, n);
  }
  /// Returns whether the pattern is its diagonal, and has no mask without it.
  static bool sees_itself_alone() { return masks().facts(GetParam()).sees_itself_alone; }
};

bool has(const Mask& mask, int64_t query, int64_t key) {
  return mask.head(0)[query * mask.positions + key] != 0;
}

TEST_P(MaskContract, GivesZerosAndOnesOfTheAskedShape) {
  EXPECT_TRUE(rc::check([] {
    const auto heads = *rc::gen::inRange<int64_t>(1, 4), n = *rc::gen::inRange<int64_t>(1, 70);
    const Mask mask = made(n, true, heads);
    RC_ASSERT(mask.heads == heads);
    RC_ASSERT(mask.positions == n);
    RC_ASSERT(std::ssize(mask.cells) == heads * n * n);
    RC_ASSERT(std::ranges::all_of(mask.cells, [](uint8_t cell) { return cell <= 1; }));
    RC_ASSERT(made(n, true, heads).cells == mask.cells);
  }));
}

TEST_P(MaskContract, LosesExactlyItsDiagonal) {
  if (sees_itself_alone()) {
    EXPECT_THAT([] { made(8, false); },
                testing::ThrowsMessage<ConfigError>(testing::HasSubstr("hides everything")));
    const Mask mask = made(8);
    for (int64_t i = 0; i < 8; ++i) {
      for (int64_t j = 0; j < 8; ++j) EXPECT_EQ(has(mask, i, j), i == j) << i << ", " << j;
    }
    return;
  }
  EXPECT_TRUE(rc::check([] {
    const auto n = *rc::gen::inRange<int64_t>(1, 70);
    const Mask with = made(n), without = made(n, false);
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j) RC_ASSERT(has(without, i, j) == (i != j && has(with, i, j)));
    }
  }));
}

TEST_P(MaskContract, LeavesNoRowEmpty) {
  for (const int64_t n : {1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 17, 33, 64, 128, 384}) {
    for (const bool diagonal : {true, false}) {
      if ((n == 1 || sees_itself_alone()) && !diagonal) continue;
      const Mask mask = made(n, diagonal);
      for (int64_t i = 0; i < n; ++i) {
        const uint8_t* row = mask.head(0) + i * n;
        EXPECT_TRUE(std::find(row, row + n, 1) != row + n) << "n = " << n << ", row " << i;
      }
    }
  }
  EXPECT_EQ(made(1).cells, MaskCells{1});
  if (!sees_itself_alone()) {
    EXPECT_EQ(made(1, false).cells, MaskCells{0});
  }
}

TEST_P(MaskContract, LooksBothWays) {
  for (const int64_t n : {2, 16, 128}) {
    const Mask mask = made(n, sees_itself_alone());
    int64_t before = 0, after = 0;
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j) (j < i ? before : after) += i != j && has(mask, i, j) ? 1 : 0;
    }
    EXPECT_EQ(before > 0, !sees_itself_alone());
    EXPECT_EQ(after > 0, !sees_itself_alone());
  }
}

/// Returns whether the mask of each n below 128 is the corner of the mask of 128.
bool is_its_own_corner() {
  const Mask mask = make_mask({MaskContract::GetParam(), Json::object(), {}}, 1, 128);
  for (int64_t n = 1; n < 128; ++n) {
    const Mask smaller = make_mask({MaskContract::GetParam(), Json::object(), {}}, 1, n);
    for (int64_t i = 0; i < n; ++i) {
      if (!std::equal(smaller.head(0) + i * n, smaller.head(0) + (i + 1) * n,
                      mask.head(0) + i * 128))
        return false;
    }
  }
  return true;
}

TEST_P(MaskContract, SaysWhetherCroppingIsTheSame) {
  EXPECT_EQ(masks().facts(GetParam()).crops, is_its_own_corner());
}

INSTANTIATE_TEST_SUITE_P(, MaskContract, testing::ValuesIn(masks().names()), plugin_test_name);

TEST(MaskRevisions, SayWhenCellsChange) {
  std::string lines = "# pattern, revision, SHA-256 of its cells at n = 16, 128, 384\n";
  for (const std::string& name : masks().names()) {
    if (!std::filesystem::exists(kSource / "models/masks" / (name + ".cpp")))
      continue;  // skips a recipe's pattern
    lines += fmt::format("{} {}", name, masks().schema(name).revision);
    for (const int64_t n : {16, 128, 384}) {
      const Mask mask = make_mask({name, Json::object(), {}}, 1, n);
      const std::string bytes(mask.cells.begin(), mask.cells.end());
      lines += " " + sha256_hex(bytes).substr(0, 16);
    }
    lines += "\n";
  }
  EXPECT_THAT(lost_golden_lines("masks.txt", lines), testing::IsEmpty());
}

}  // namespace
}  // namespace rethink
