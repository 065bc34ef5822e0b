#include "datasets/labelled/encoded_texts.h"

#include <fmt/format.h>

#include <algorithm>

namespace rethink {
namespace {

constexpr int64_t kLeastLength = 5;            // [CLS] a [SEP] b [SEP]
constexpr int64_t kSentenceSpecialTokens = 2;  // [CLS] and [SEP]

}  // namespace

EncodedTexts::EncodedTexts(const WordPiece& pieces, int64_t max_length)
    : pieces_(pieces), max_length_(static_cast<size_t>(max_length)) {
  if (max_length < kLeastLength) {
    throw ConfigError("invalid-value",
                      fmt::format("max_length: got {}, expected at least {}: two texts of one "
                                  "token each and three special tokens",
                                  max_length, kLeastLength));
  }
}

size_t EncodedTexts::add(std::string_view first, std::optional<std::string_view> second) {
  first_.clear();
  second_.clear();
  pieces_.encode(first, first_);
  if (second) pieces_.encode(*second, second_);
  const size_t room = max_length_ - (second ? 3 : 2);
  while (first_.size() + second_.size() > room) {
    (first_.size() > second_.size() ? first_ : second_).pop_back();
  }
  tokens_.push_back(pieces_.classifier());
  tokens_.insert(tokens_.end(), first_.begin(), first_.end());
  tokens_.push_back(pieces_.separator());
  first_parts_.push_back(static_cast<int32_t>(first_.size()) + 2);
  if (second) {
    tokens_.insert(tokens_.end(), second_.begin(), second_.end());
    tokens_.push_back(pieces_.separator());
  }
  offsets_.push_back(tokens_.size());
  return tokens_.size() - offsets_[offsets_.size() - 2];
}

Columns encoder_columns(const TokenSequences& sequences, std::span<const int32_t> first_parts,
                        int32_t padding, std::span<const uint32_t> indices,
                        const ColumnAllocator& allocate, size_t padded_to) {
  size_t longest = padded_to;
  for (const uint32_t index : indices) longest = std::max(longest, sequences[index].size());
  ColumnMaker make(allocate);
  const auto ids = make.integers("input_ids", {indices.size(), longest}),
             types = make.integers("token_type_ids", {indices.size(), longest});
  const auto keep = make.booleans("keep", {indices.size(), longest});
  for (size_t row = 0; row < indices.size(); ++row) {
    const std::span<const int32_t> tokens = sequences[indices[row]];
    const auto first_part = static_cast<size_t>(first_parts[indices[row]]);
    for (size_t place = 0; place < longest; ++place) {
      const bool is_token = place < tokens.size();
      ids[row * longest + place] = is_token ? tokens[place] : padding;
      types[row * longest + place] = is_token && place >= first_part ? 1 : 0;
      keep[row * longest + place] = is_token ? 1 : 0;
    }
  }
  return make.columns;
}

TaggedTexts::TaggedTexts(const TaggedSplit& split, const WordPiece& pieces, int64_t max_length)
    : padding_(pieces.padding()) {
  for (const TaggedSentence& sentence : split.sentences)
    add(sentence, pieces, static_cast<size_t>(max_length - kSentenceSpecialTokens));
}

void TaggedTexts::add(const TaggedSentence& sentence, const WordPiece& pieces, size_t room) {
  std::vector<int32_t> ids;
  for (size_t word = 0; word < sentence.words.size() && ids.size() < room; ++word) {
    const size_t first = ids.size();
    pieces.encode(sentence.words[word], ids);
    if (ids.size() > first)
      words_.push_back({static_cast<uint32_t>(word), static_cast<uint32_t>(first + 1)});
  }
  ids.resize(std::min(ids.size(), room));
  tokens_.push_back(pieces.classifier());
  tokens_.insert(tokens_.end(), ids.begin(), ids.end());
  tokens_.push_back(pieces.separator());
  first_parts_.push_back(static_cast<int32_t>(ids.size()) + kSentenceSpecialTokens);
  offsets_.push_back(tokens_.size());
  word_offsets_.push_back(words_.size());
}

}  // namespace rethink
