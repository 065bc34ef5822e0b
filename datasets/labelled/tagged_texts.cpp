#include "datasets/labelled/tagged_texts.h"

namespace rethink {
namespace {

constexpr int64_t kSentenceSpecialTokens = 2;  // [CLS] and [SEP]

}  // namespace

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
