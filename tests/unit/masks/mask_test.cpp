// Every pattern has the sparsity that SparseBERT prints for it at n = 128, and the cells of its
// definition. Masks are stored and read again.
#include "models/masks/mask.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <numeric>
#include <set>

#include "core/files/hash.h"
#include "core/format/safetensors.h"
#include "core/json.h"
#include "models/masks/window_global.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

MaskChoice choice(const std::string& kind, const Json& options = Json::object(),
                  bool diagonal = true) {
  return {kind, options, {diagonal}};
}

Mask mask_of(const std::string& kind, int64_t n, const Json& options = Json::object(),
             bool diagonal = true) {
  return make_mask(choice(kind, options, diagonal), 1, n);
}

int64_t count(const Mask& mask) {
  return std::accumulate(mask.cells.begin(), mask.cells.end(), int64_t{0});
}

bool has(const Mask& mask, int64_t query, int64_t key) {
  return mask.head(0)[query * mask.positions + key] != 0;
}

/// Returns rows of 0 and 1, like a picture of a small mask.
std::string rows(const Mask& mask) {
  std::string text;
  for (int64_t query = 0; query < mask.positions; ++query) {
    for (int64_t key = 0; key < mask.positions; ++key) text += has(mask, query, key) ? '1' : '0';
    text += '\n';
  }
  return text;
}

std::string percent(const Mask& mask) {
  return fmt::format("{:.1f}", 100 * sparsity(mask));
}

struct Printed {
  const char* kind;
  Json options;
  const char* with;
  const char* without;
};

/// SparseBERT, Table 4 (and Table 3, which has the masks with their diagonal).
const std::vector<Printed> kPrinted = {
    {"strided", Json::object(), "70.4", "71.2"},
    {"fixed", Json::object(), "72.7", "73.4"},
    {"logsparse", Json::object(), "89.8", "90.6"},
    {"star", Json::object(), "96.1", "96.9"},
    {"star", {{"closed", true}}, "96.1", "96.9"},
    {"longformer", Json::object(), "88.7", "89.5"},
    {"longformer", {{"window", 2}, {"globals", 5}}, "88.7", "89.5"},
    {"bigbird", Json::object(), "93.2", "93.9"}};

TEST(Masks, HaveThePapersSparsities) {
  for (const Printed& mask : kPrinted) {
    EXPECT_EQ(percent(mask_of(mask.kind, 128, mask.options)), mask.with) << mask.kind;
    EXPECT_EQ(percent(mask_of(mask.kind, 128, mask.options, false)), mask.without) << mask.kind;
  }
}

TEST(Masks, HaveThePapersSparsitiesForEverySeed) {
  for (int64_t seed = 0; seed < 50; ++seed) {
    for (const char* kind : {"longformer", "bigbird"}) {
      const Json options = {{"seed", seed}};
      const std::string with = kind == std::string("bigbird") ? "93.2" : "88.7";
      const std::string without = kind == std::string("bigbird") ? "93.9" : "89.5";
      EXPECT_EQ(percent(mask_of(kind, 128, options)), with) << kind << " " << seed;
      EXPECT_EQ(percent(mask_of(kind, 128, options, false)), without) << kind << " " << seed;
    }
  }
}

TEST(Masks, OfLongformerAsItsTextHasItIsSparserThanPrinted) {
  const Json literal = {{"window", 2}};
  EXPECT_EQ(percent(mask_of("longformer", 128, literal)), "93.1");
  EXPECT_EQ(percent(mask_of("longformer", 128, literal, false)), "93.9");
}

TEST(Masks, CountTheCellsOfTheirDefinitions) {
  EXPECT_EQ(count(mask_of("none", 128)), 16384);
  EXPECT_EQ(count(mask_of("none", 128, Json::object(), false)), 16384 - 128);
  EXPECT_EQ(count(mask_of("strided", 128)), 4852);
  EXPECT_EQ(count(mask_of("fixed", 128)), 4480);
  EXPECT_EQ(count(mask_of("logsparse", 128)), 1666);
  EXPECT_EQ(count(mask_of("star", 128)), 634);
  EXPECT_EQ(count(mask_of("star", 128, {{"closed", true}})), 636);
  EXPECT_EQ(count(mask_of("random_drop", 128)), 16384 - 128);
}

TEST(Masks, LookAsTheirDefinitions) {
  EXPECT_EQ(rows(mask_of("strided", 6, {{"stride", 2}})),
            "111010\n111101\n111110\n011111\n101111\n010111\n");
  EXPECT_EQ(rows(mask_of("fixed", 6, {{"stride", 3}})),
            "111001\n111001\n111001\n001111\n001111\n001111\n");
  EXPECT_EQ(rows(mask_of("fixed", 4, {{"stride", 4}, {"columns", 2}})), "1111\n1111\n1111\n1111\n");
  EXPECT_EQ(rows(mask_of("logsparse", 6)), "111010\n111101\n111110\n011111\n101111\n010111\n");
  EXPECT_EQ(rows(mask_of("star", 5)), "11111\n11100\n11110\n10111\n10011\n");
  EXPECT_EQ(rows(mask_of("star", 5, {{"closed", true}})), "11111\n11101\n11110\n10111\n11011\n");
  EXPECT_EQ(rows(mask_of("special_tokens", 5)), "11111\n11101\n11111\n10111\n11111\n");
  EXPECT_EQ(rows(mask_of("special_tokens", 4, {{"window", 0}})), "1111\n1101\n1011\n1111\n");
  EXPECT_EQ(rows(mask_of("none", 3, Json::object(), false)), "011\n101\n110\n");
}

/// Returns the positions whose rows and columns are full.
std::set<int64_t> full_positions(const Mask& mask) {
  std::set<int64_t> full;
  for (int64_t i = 0; i < mask.positions; ++i) {
    bool all = true;
    for (int64_t j = 0; j < mask.positions; ++j) all = all && has(mask, i, j) && has(mask, j, i);
    if (all) full.insert(i);
  }
  return full;
}

TEST(Masks, OfLongformerAreAWindowAndGlobalPositions) {
  const Mask mask = mask_of("longformer", 64, {{"window", 3}, {"globals", 4}, {"seed", 7}});
  const std::set<int64_t> global = full_positions(mask);
  EXPECT_EQ(global.size(), 4u);
  for (int64_t i = 0; i < 64; ++i) {
    for (int64_t j = 0; j < 64; ++j)
      EXPECT_EQ(has(mask, i, j), std::abs(i - j) <= 3 || global.contains(i) || global.contains(j));
  }
}

TEST(Masks, OfBigBirdHaveAtMostTheRandomKeysOfEachRow) {
  const Mask mask = mask_of("bigbird", 64, {{"seed", 3}});
  const std::set<int64_t> global = full_positions(mask);
  EXPECT_EQ(global.size(), 2u);
  int64_t random = 0;
  for (int64_t i = 0; i < 64; ++i) {
    int64_t of_row = 0;
    for (int64_t j = 0; j < 64; ++j) {
      const bool expected = std::abs(i - j) <= 1 || global.contains(i) || global.contains(j);
      EXPECT_TRUE(has(mask, i, j) || !expected) << i << ", " << j;
      of_row += has(mask, i, j) && !expected ? 1 : 0;
    }
    EXPECT_LE(of_row, 2);
    random += of_row;
  }
  EXPECT_GT(random, 64);
}

/// Returns the mean number of cells of many plain draws, each made here.
double mean_cells(const WindowGlobal& parts, int64_t n) {
  constexpr int kDraws = 4000;
  int64_t sum = 0;
  MaskDraw draw(11, "mean_cells");
  for (int i = 0; i < kDraws; ++i) {
    const std::vector<int64_t> drawn = draw.distinct(parts.globals, n);
    const std::set<int64_t> global(drawn.begin(), drawn.end());
    for (int64_t query = 0; query < n; ++query) {
      std::set<int64_t> keys;
      for (int64_t k = 0; k < parts.random; ++k) keys.insert(draw.below(n));
      for (int64_t key = 0; key < n; ++key) {
        sum += std::abs(query - key) <= parts.window || global.contains(query) ||
                       global.contains(key) || keys.contains(key)
                   ? 1
                   : 0;
      }
    }
  }
  return static_cast<double>(sum) / kDraws;
}

TEST(WindowGlobal, ExpectsTheMeanOfItsDraws) {
  for (const WindowGlobal& parts : {WindowGlobal{1, 2, 2, 0, "x"}, WindowGlobal{5, 2, 0, 0, "x"},
                                    WindowGlobal{2, 0, 3, 0, "x"}})
    EXPECT_NEAR(parts.expected_cells(24), mean_cells(parts, 24), 0.5);
  EXPECT_EQ((WindowGlobal{5, 2, 2, 0, "x"}.expected_cells(1)), 1);
  EXPECT_EQ((WindowGlobal{1, 2, 2, 0, "x"}.expected_cells(2)), 4);
  EXPECT_NEAR((WindowGlobal{1, 2, 2, 0, "x"}.expected_cells(128)), 1121.39, 0.01);
}

TEST(MaskDraw, IsUniformAndItsOwnForEachSeedAndPattern) {
  MaskDraw draw(0, "a"), again(0, "a"), other_seed(1, "a"), other_pattern(0, "b");
  std::vector<int64_t> seen(7), first, same, seeds, patterns;
  for (int i = 0; i < 7000; ++i) ++seen[static_cast<size_t>(draw.below(7))];
  for (const int64_t times : seen) EXPECT_NEAR(static_cast<double>(times), 1000, 150);
  MaskDraw begin(0, "a");
  for (int i = 0; i < 20; ++i) {
    first.push_back(begin.below(1000));
    same.push_back(again.below(1000));
    seeds.push_back(other_seed.below(1000));
    patterns.push_back(other_pattern.below(1000));
  }
  EXPECT_EQ(first, same);
  EXPECT_NE(first, seeds);
  EXPECT_NE(first, patterns);
  std::vector<int64_t> all = begin.distinct(10, 10);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, (std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(Masks, AreDroppedUniformly) {
  // Each of 64 cells of 8 x 8 is dropped with probability 1/8: 250 of 2,000 times, sd 15.
  std::vector<int64_t> dropped(64);
  for (int64_t seed = 0; seed < 2000; ++seed) {
    const Mask mask = mask_of("random_drop", 8, {{"seed", seed}});
    for (size_t cell = 0; cell < 64; ++cell) dropped[cell] += 1 - mask.cells[cell];
  }
  for (const int64_t times : dropped) EXPECT_NEAR(static_cast<double>(times), 250, 75);
}

TEST(Masks, AreTheSameForEveryHead) {
  const Mask mask = make_mask(choice("bigbird"), 3, 16);
  EXPECT_EQ(mask.cells.size(), 3u * 256);
  for (int64_t head = 1; head < 3; ++head)
    EXPECT_TRUE(std::equal(mask.head(0), mask.head(0) + 256, mask.head(head)));
}

RC_GTEST_PROP(MaskFile, HoldsWhatWasWritten, ()) {
  const auto heads = *rc::gen::inRange<int64_t>(1, 4), n = *rc::gen::inRange<int64_t>(1, 9);
  const Mask mask{heads, n,
                  *rc::gen::container<std::vector<uint8_t>>(static_cast<size_t>(heads * n * n),
                                                            rc::gen::inRange<uint8_t>(0, 2))};
  const TempFolder folder(memory_folder());
  write_mask(folder / "mask.safetensors", mask);
  const Mask again = read_mask(folder / "mask.safetensors");
  RC_ASSERT(again.heads == heads);
  RC_ASSERT(again.positions == n);
  RC_ASSERT(again.cells == mask.cells);
}

std::string refusal_of(const std::vector<int64_t>& shape, const std::vector<uint8_t>& cells,
                       const std::string& name = "mask") {
  const TempFolder folder(memory_folder());
  write_safetensors(folder / "m", {{name, {Dtype::u8, shape, std::as_bytes(std::span(cells))}}},
                    {});
  try {
    read_mask(folder / "m");
  } catch (const ConfigError& error) {
    const std::string text = error.what();
    return text.substr(text.find(": ") + 2);
  }
  return "";
}

TEST(MaskFile, IsRefusedWhenItHoldsNoMask) {
  EXPECT_EQ(refusal_of({1, 2, 3}, {1, 1, 1, 1, 1, 1}),
            "mask must be U8 of shape [heads, n, n], got U8 [1, 2, 3]");
  EXPECT_EQ(refusal_of({2, 2}, {1, 1, 1, 1}),
            "mask must be U8 of shape [heads, n, n], got U8 [2, 2]");
  EXPECT_EQ(refusal_of({0, 2, 2}, {}), "mask must be U8 of shape [heads, n, n], got U8 [0, 2, 2]");
  EXPECT_EQ(refusal_of({1, 1, 1}, {7}), "mask has a cell of 7, expected 0 or 1");
  EXPECT_EQ(refusal_of({1, 1, 1}, {1}, "masks"), "no tensor 'mask'; did you mean 'masks'?");
}

}  // namespace
}  // namespace rethink
