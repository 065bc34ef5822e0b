// Sentence pairs and masked tokens.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "datasets/pretraining/masked_pairs.h"

namespace rethink {
namespace {

constexpr MaskVocabulary kVocabulary = {.size = 1000, .padding = 0, .cls = 1, .sep = 2, .mask = 3};
constexpr int32_t kFirstWord = 10;

/// Every token of every sentence differs, so that a span of tokens shows its origin.
DocumentTokens numbered(const std::vector<std::vector<size_t>>& documents) {
  DocumentTokens tokens;
  int32_t next = kFirstWord;
  for (const std::vector<size_t>& sentences : documents) {
    for (const size_t length : sentences) {
      std::vector<int32_t> ids(length);
      for (int32_t& id : ids) id = next++;
      tokens.add_sentence(ids);
    }
    tokens.end_document();
  }
  return tokens;
}

DocumentTokens some_documents(size_t documents, size_t sentences) {
  std::vector<std::vector<size_t>> lengths(documents);
  for (size_t i = 0; i < documents; ++i) {
    for (size_t j = 0; j < sentences; ++j) lengths[i].push_back(3 + (i * 7 + j * 5) % 20);
  }
  return numbered(lengths);
}

size_t document_of(const DocumentTokens& tokens, size_t place) {
  size_t document = 0;
  while (tokens.begin_of(tokens.sentences_of(document).second) <= place) ++document;
  return document;
}

struct Batch {
  Columns columns;
  std::map<std::string, std::vector<std::byte>> memory;

  std::span<const int64_t> integers(const std::string& name) const {
    const auto& bytes = memory.at(name);
    return {reinterpret_cast<const int64_t*>(bytes.data()), bytes.size() / sizeof(int64_t)};
  }
};

Batch batch_of(const MaskedPairs& source, const std::vector<uint32_t>& indices) {
  Batch batch;
  batch.columns = pretraining_columns(source, indices, [&](const std::string& name, size_t bytes) {
    batch.memory[name].resize(bytes);
    return std::span<std::byte>(batch.memory[name]);
  });
  return batch;
}

std::vector<uint32_t> all_of(size_t count) {
  std::vector<uint32_t> indices(count);
  for (size_t i = 0; i < count; ++i) indices[i] = static_cast<uint32_t>(i);
  return indices;
}

TEST(DocumentTokens, LeavesOutEmptySentences) {
  DocumentTokens tokens;
  tokens.add_sentence({});
  tokens.end_document();
  tokens.add_sentence(std::vector<int32_t>{5, 6});
  tokens.add_sentence({});
  tokens.end_document();
  tokens.end_document();
  EXPECT_EQ(tokens.documents(), 1u);
  EXPECT_EQ(tokens.sentences(), 1u);
}

RC_GTEST_PROP(SpecPairs, UseEverySentenceWhereNothingIsCut, ()) {
  const auto lengths = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::vector<size_t>>>(
      rc::gen::nonEmpty(rc::gen::container<std::vector<size_t>>(rc::gen::inRange<size_t>(1, 9)))));
  const DocumentTokens tokens = numbered(lengths);
  // No document fills 10,000 tokens, so it is gathered whole, and then the rest of it.
  const auto pairs = text_pairs(tokens, {.max_length = 10000, .short_probability = 0}, 3, 0);
  std::vector<int> times(tokens.ids().size());
  for (const TextPair& pair : pairs) {
    for (size_t i = 0; i < pair.first_length; ++i) ++times[pair.first_begin + i];
    for (size_t i = 0; pair.is_next && i < pair.second_length; ++i) ++times[pair.second_begin + i];
    RC_ASSERT(pair.first_length > 0u && pair.second_length > 0u);
  }
  RC_ASSERT(std::count(times.begin(), times.end(), 1) == static_cast<ptrdiff_t>(times.size()));
}

RC_GTEST_PROP(SpecPairs, FitAndFollowWhereTheySaySo, ()) {
  const DocumentTokens tokens = some_documents(*rc::gen::inRange<size_t>(1, 6), 12);
  const int64_t longest = *rc::gen::inRange<int64_t>(5, 70);
  const auto pairs =
      text_pairs(tokens, {.max_length = longest}, *rc::gen::arbitrary<uint64_t>(), 1);
  for (const TextPair& pair : pairs) {
    RC_ASSERT(pair.first_length + pair.second_length + 3 <= static_cast<size_t>(longest));
    RC_ASSERT(pair.first_length > 0u && pair.second_length > 0u);
    const size_t first = document_of(tokens, pair.first_begin),
                 second = document_of(tokens, pair.second_begin);
    RC_ASSERT(first == document_of(tokens, pair.first_begin + pair.first_length - 1));
    RC_ASSERT(second == document_of(tokens, pair.second_begin + pair.second_length - 1));
    if (!pair.is_next) continue;
    RC_ASSERT(first == second);
    RC_ASSERT(pair.first_begin + pair.first_length <= pair.second_begin);
  }
  RC_ASSERT(pair_lengths(pairs).size() == pairs.size());
}

TEST(SpecPairs, AreHalfOfThemRandomAndATenthShort) {
  const DocumentTokens tokens = some_documents(400, 40);
  const auto pairs = text_pairs(tokens, {.max_length = 64}, 5, 0);
  double random = 0, other_document = 0, full = 0;
  for (const TextPair& pair : pairs) {
    random += !pair.is_next;
    other_document += !pair.is_next && document_of(tokens, pair.first_begin) !=
                                           document_of(tokens, pair.second_begin);
    full += pair.first_length + pair.second_length == 61;
  }
  const auto count = static_cast<double>(pairs.size());
  // All pairs of a single sentence also count: the last ones of many documents, and those of short ones.
  EXPECT_GT(random / count, 0.5);
  EXPECT_LT(random / count, 0.6);
  EXPECT_EQ(other_document, random);
  EXPECT_GT(full / count, 0.6);
  EXPECT_LT(full / count, 0.95);
}

TEST(SpecPairs, OfOneDocumentTakeTheirRandomPartsFromIt) {
  const DocumentTokens tokens = some_documents(1, 30);
  for (const TextPair& pair : text_pairs(tokens, {.max_length = 40}, 0, 0))
    EXPECT_LE(pair.second_begin + pair.second_length, tokens.ids().size());
}

TEST(SpecPairs, AreTheSameForTheSameSeedAndDuplicateOnly) {
  const DocumentTokens tokens = some_documents(20, 20);
  const auto begins = [&](uint64_t seed, int64_t duplicate) {
    std::vector<size_t> all;
    for (const TextPair& pair : text_pairs(tokens, {.max_length = 48}, seed, duplicate))
      all.insert(all.end(), {pair.first_begin, pair.first_length, pair.second_begin});
    return all;
  };
  EXPECT_EQ(begins(1, 2), begins(1, 2));
  EXPECT_NE(begins(1, 2), begins(1, 3));
  EXPECT_NE(begins(1, 2), begins(2, 2));
}

class Masks : public testing::Test {
 protected:
  MaskedPairs source(uint64_t seed, int64_t duplicate = 0, MaskOptions options = {}) const {
    return {tokens_, pairs_, kVocabulary, options, seed, duplicate};
  }
  const DocumentTokens tokens_ = some_documents(200, 40);
  const std::vector<TextPair> pairs_ = text_pairs(tokens_, {.max_length = 64}, 5, 0);
};

TEST_F(Masks, StandInOneSequenceWithItsParts) {
  const DocumentTokens tokens = numbered({{4, 3}, {2, 2}});
  const std::vector<TextPair> pairs = {{0, 4, 4, 3, true}, {7, 0, 2, 4, false}};
  const MaskedPairs two = {tokens, pairs, kVocabulary, {.share = 0.01}, 1, 0};
  const Batch batch = batch_of(two, {1, 0});
  EXPECT_EQ(batch.columns[0].shape, (std::vector<int64_t>{2, 10}));
  std::vector<int64_t> ids(batch.integers("input_ids").begin(), batch.integers("input_ids").end());
  const auto positions = batch.integers("masked_positions"),
             labels = batch.integers("masked_labels");
  ASSERT_EQ(positions.size(), 2u);  // at least one each
  for (size_t i = 0; i < 2; ++i) ids[static_cast<size_t>(positions[i])] = labels[i];
  EXPECT_EQ(ids, (std::vector<int64_t>{1, 17, 18, 2,  10, 11, 12, 13, 2,  0,  //
                                       1, 10, 11, 12, 13, 2,  14, 15, 16, 2}));
  const auto types = batch.integers("token_type_ids");
  EXPECT_EQ(std::vector<int64_t>(types.begin(), types.end()),
            (std::vector<int64_t>{0, 0, 0, 0, 1, 1, 1, 1, 1, 0,  //
                                  0, 0, 0, 0, 0, 0, 1, 1, 1, 1}));
  const auto next = batch.integers("next_sentence");
  EXPECT_EQ(std::vector<int64_t>(next.begin(), next.end()), (std::vector<int64_t>{1, 0}));
  const auto& keep = batch.memory.at("keep");
  for (size_t i = 0; i < keep.size(); ++i)
    EXPECT_EQ(static_cast<int>(keep[i]), i % 10 < (i < 10 ? 9u : 10u) ? 1 : 0) << i;
}

TEST_F(Masks, AreFifteenPercentOfEightyTenAndTen) {
  const Batch batch = batch_of(source(11), all_of(pairs_.size()));
  const auto inputs = batch.integers("input_ids"), positions = batch.integers("masked_positions"),
             labels = batch.integers("masked_labels");
  double masked = 0, kept = 0, tokens = 0;
  for (size_t i = 0; i < positions.size(); ++i) {
    const int64_t now = inputs[static_cast<size_t>(positions[i])];
    masked += now == kVocabulary.mask;
    kept += now == labels[i];
    EXPECT_GE(labels[i], kFirstWord);  // no special token is predicted
    if (i > 0) {
      EXPECT_LT(positions[i - 1], positions[i]);
    }
  }
  for (const uint32_t length : pair_lengths(pairs_)) tokens += length;
  const auto count = static_cast<double>(positions.size());
  EXPECT_NEAR(count / tokens, 0.15, 0.01);
  EXPECT_NEAR(masked / count, 0.8, 0.02);
  EXPECT_NEAR(kept / count, 0.1, 0.02);
}

TEST_F(Masks, AreRoundedAsPythonRoundsAndLimited) {
  const DocumentTokens tokens = numbered({{17, 10}, {100, 100}});
  // Of 30 tokens, 4.5 becomes 4; of 203 tokens, 30.45 becomes 20.
  const std::vector<TextPair> pairs = {{0, 17, 17, 10, true}, {27, 127, 100, 100, true}};
  const MaskedPairs two = {tokens, pairs, kVocabulary, {}, 1, 0};
  EXPECT_EQ(batch_of(two, {0}).integers("masked_positions").size(), 4u);
  EXPECT_EQ(batch_of(two, {1}).integers("masked_positions").size(), 20u);
}

TEST_F(Masks, DependOnNothingButSeedDuplicateAndPair) {
  const auto positions_of = [&](const MaskedPairs& from, uint32_t pair) {
    const Batch batch = batch_of(from, {pair});
    const auto positions = batch.integers("masked_positions");
    return std::vector<int64_t>(positions.begin(), positions.end());
  };
  const std::vector<int64_t> alone = positions_of(source(1), 7);
  EXPECT_EQ(alone, positions_of(source(1), 7));
  EXPECT_NE(alone, positions_of(source(2), 7));
  EXPECT_NE(alone, positions_of(source(1, 1), 7));
  const Batch together = batch_of(source(1), {3, 7});
  const int64_t width = together.columns[0].shape[1];
  std::vector<int64_t> second;
  for (const int64_t position : together.integers("masked_positions")) {
    if (position >= width) second.push_back(position - width);
  }
  EXPECT_EQ(second, alone);
}

}  // namespace
}  // namespace rethink
