#include "datasets/batching.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <deque>

namespace rethink {
namespace {

using testing::ElementsAre;

/// Sequences of given lengths; token t of sequence i is 100 i + t.
struct Made {
  std::vector<uint64_t> offsets = {0};
  std::vector<int32_t> tokens;

  explicit Made(const std::vector<size_t>& lengths) {
    for (size_t index = 0; index < lengths.size(); ++index) {
      for (size_t at = 0; at < lengths[index]; ++at)
        tokens.push_back(static_cast<int32_t>(100 * index + at));
      offsets.push_back(tokens.size());
    }
  }
  TokenSequences sequences() const { return {offsets, tokens}; }
};

/// A memory whose contents a test reads.
struct Memory {
  std::deque<std::vector<std::byte>> blocks;
  ColumnAllocator allocator() {
    return
        [this](const std::string&, size_t bytes) { return std::span(blocks.emplace_back(bytes)); };
  }
};

std::vector<int64_t> values_of(const Columns& columns, const std::string& name) {
  for (const Column& column : columns) {
    if (column.name != name) continue;
    const auto* first = reinterpret_cast<const int64_t*>(column.bytes.data());
    return {first, first + column.bytes.size() / sizeof(int64_t)};
  }
  ADD_FAILURE() << "no column " << name;
  return {};
}

RC_GTEST_PROP(Batching, PutsEverySequenceIntoExactlyOneBatch, ()) {
  const auto lengths = *rc::gen::container<std::vector<size_t>>(rc::gen::inRange<size_t>(2, 40));
  const Made made(lengths);
  const BatchingOptions options{.batch = *rc::gen::inRange<int64_t>(1, 9),
                                .shuffle = *rc::gen::arbitrary<bool>(),
                                .buckets = *rc::gen::arbitrary<bool>()};
  const auto seed = *rc::gen::arbitrary<uint64_t>();
  const auto epoch = *rc::gen::inRange<int64_t>(0, 50);
  const auto batches = epoch_batches(made.sequences(), options, seed, epoch);
  std::vector<uint32_t> seen;
  size_t smaller = 0;
  for (const auto& batch : batches) {
    RC_ASSERT(!batch.empty() && batch.size() <= static_cast<size_t>(options.batch));
    smaller += batch.size() < static_cast<size_t>(options.batch);
    seen.insert(seen.end(), batch.begin(), batch.end());
  }
  RC_ASSERT(smaller <= 1u);
  std::sort(seen.begin(), seen.end());
  RC_ASSERT(seen.size() == lengths.size());
  for (uint32_t index = 0; index < seen.size(); ++index) RC_ASSERT(seen[index] == index);
  RC_ASSERT(batches == epoch_batches(made.sequences(), options, seed, epoch));
}

TEST(Batching, GivesEachSeedAndEachEpochItsOwnOrder) {
  const Made made(std::vector<size_t>(500, 5));
  const auto order = [&](uint64_t seed, int64_t epoch) {
    return epoch_batches(made.sequences(), {.batch = 8, .buckets = false}, seed, epoch);
  };
  EXPECT_NE(order(1, 0), order(1, 1));
  EXPECT_NE(order(1, 0), order(2, 0));
  EXPECT_NE(order(1, 1), order(2, 0));
}

TEST(Batching, KeepsTheOrderOfTheTextWithoutShufflingAndBuckets) {
  const Made made({9, 3, 7, 2, 5});
  EXPECT_THAT(
      epoch_batches(made.sequences(), {.batch = 2, .shuffle = false, .buckets = false}, 1, 3),
      ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3), ElementsAre(4)));
}

TEST(Batching, MakesReleasedCodesNumberOfBatchesOnWikiText2) {
  const Made made(std::vector<size_t>(23627, 2));
  const auto batches =
      epoch_batches(made.sequences(), {.batch = 64, .shuffle = false, .buckets = false}, 0, 0);
  EXPECT_EQ(batches.size(), 370u);
  EXPECT_EQ(batches.back().size(), 23627u - 369u * 64u);
}

TEST(Batching, BucketsSaveMostOfThePadding) {
  std::vector<size_t> lengths;
  for (size_t index = 0; index < 3200; ++index) lengths.push_back(2 + index * 37 % 99);
  const Made made(lengths);
  const auto padding = [&](bool buckets) {
    size_t padded = 0;
    for (const auto& batch :
         epoch_batches(made.sequences(), {.batch = 32, .buckets = buckets}, 7, 0)) {
      size_t longest = 0;
      for (const uint32_t index : batch) longest = std::max(longest, lengths[index]);
      for (const uint32_t index : batch) padded += longest - lengths[index];
    }
    return padded;
  };
  EXPECT_LT(padding(true) * 10, padding(false));
}

TEST(Batching, AnEmptySplitHasNoBatches) {
  EXPECT_TRUE(epoch_batches(TokenSequences(), {}, 1, 0).empty());
}

TEST(LanguageModelColumns, ShiftsTargetsByOneAndHidesPadding) {
  const Made made({4, 2});
  Memory memory;
  const std::vector<uint32_t> indices = {1, 0};
  const Columns columns = language_model_columns(made.sequences(), indices, -7, memory.allocator());
  EXPECT_THAT(columns[0].shape, ElementsAre(2, 3));
  EXPECT_THAT(values_of(columns, "input_ids"), ElementsAre(100, -7, -7, 0, 1, 2));
  EXPECT_THAT(values_of(columns, "targets"),
              ElementsAre(101, kNothingToPredict, kNothingToPredict, 1, 2, 3));
}

RC_GTEST_PROP(LanguageModelColumns, PredictsEachTokenButTheFirstOfEachSequenceOnce, ()) {
  const auto lengths =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<size_t>>(rc::gen::inRange<size_t>(1, 30)));
  const Made made(lengths);
  std::vector<uint32_t> indices;
  for (uint32_t index = 0; index < lengths.size(); ++index) indices.push_back(index);
  Memory memory;
  const Columns columns = language_model_columns(made.sequences(), indices, 0, memory.allocator());
  std::vector<int64_t> wanted, got;
  for (const uint32_t index : indices) {
    for (size_t at = 1; at < lengths[index]; ++at)
      wanted.push_back(static_cast<int64_t>(100 * index + at));
  }
  for (const int64_t target : values_of(columns, "targets")) {
    if (target != kNothingToPredict) got.push_back(target);
  }
  RC_ASSERT(got == wanted);
}

RC_GTEST_PROP(TokenBatches, HoldEverySequenceOnceAndNoMoreTokensThanTheyMay, ()) {
  const auto lengths =
      *rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange<uint32_t>(1, 40));
  const auto most = *rc::gen::inRange<int64_t>(1, 200);
  const auto epoch = *rc::gen::inRange<int64_t>(0, 3);
  const bool shuffle = *rc::gen::arbitrary<bool>();
  const auto batches = token_batches(lengths, most, shuffle, 7, epoch);
  std::vector<size_t> seen(lengths.size(), 0);
  for (const std::vector<uint32_t>& batch : batches) {
    uint32_t longest = 0;
    for (const uint32_t index : batch) {
      ++seen.at(index);
      longest = std::max(longest, lengths[index]);
    }
    RC_ASSERT(batch.size() == 1 || static_cast<int64_t>(batch.size() * longest) <= most);
  }
  RC_ASSERT(std::ranges::all_of(seen, [](size_t times) { return times == 1; }));
  RC_ASSERT(batches.size() == token_batches(lengths, most, shuffle, 7, epoch + 1).size());
  RC_ASSERT(batches == token_batches(lengths, most, shuffle, 7, epoch));
}

TEST(TokenBatches, AreInAnotherOrderInEachEpoch) {
  const std::vector<uint32_t> lengths(40, 5);
  EXPECT_NE(token_batches(lengths, 20, true, 7, 0), token_batches(lengths, 20, true, 7, 1));
  EXPECT_EQ(token_batches(lengths, 20, false, 7, 0), token_batches(lengths, 20, false, 7, 1));
}

TEST(SourceColumns, PadToTheLongest) {
  const Made made({2, 1, 3});
  Memory memory;
  const std::vector<uint32_t> indices = {1, 0};
  const Columns columns = source_columns(made.sequences(), indices, 9, memory.allocator());
  EXPECT_THAT(values_of(columns, "source_ids"), ElementsAre(100, 9, 0, 1));
  ASSERT_EQ(columns[1].name, "source_keep");
  std::vector<int> keep;
  for (const std::byte byte : columns[1].bytes) keep.push_back(static_cast<int>(byte));
  EXPECT_THAT(keep, ElementsAre(1, 0, 1, 1));
}

}  // namespace
}  // namespace rethink
