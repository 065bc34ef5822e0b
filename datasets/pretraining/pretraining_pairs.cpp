#include "datasets/pretraining/pretraining_pairs.h"

#include <algorithm>
#include <string>

#include "core/error.h"
#include "datasets/philox_stream.h"

namespace rethink {
namespace {

constexpr uint64_t kTextPairStream = 0x7061697273000000;  // "pairs" in ASCII
constexpr int64_t kPairSpecialTokens = 3;                 // [CLS] and two [SEP]
constexpr int kDrawsOfADocument = 10;

/// Uniform in low ... high.
size_t between(PhiloxStream& random, size_t low, size_t high) {
  return low + random.below(high - low + 1);
}

/// The pairs of one document, drawn from a stream of its own.
class DocumentPairs {
 public:
  DocumentPairs(const DocumentTokens& documents, size_t document, const PairOptions& options,
                PhiloxKey key)
      : documents_(documents),
        document_(document),
        longest_(static_cast<size_t>(options.max_length - kPairSpecialTokens)),
        random_(key) {
    const bool is_short = random_.uniform() < options.short_probability;
    target_ = is_short ? between(random_, 2, longest_) : longest_;
  }

  void add_to(std::vector<TextPair>& pairs) {
    const auto [begin, end] = documents_.sentences_of(document_);
    size_t chunk = begin;  // where the gathered sentences begin
    for (size_t next = begin; next < end;) {
      ++next;
      if (next < end && tokens(chunk, next) < target_) continue;
      size_t middle = chunk + 1;  // where the second part would begin
      if (next - chunk >= 2) middle = chunk + between(random_, 1, next - chunk - 1);
      TextPair pair{documents_.begin_of(chunk), 0, size_of(chunk, middle), 0, true};
      if (next - chunk == 1 || random_.uniform() < 0.5) {
        add_random_part(pair);
        next = middle;
      } else {
        pair.second_begin = documents_.begin_of(middle);
        pair.second_length = size_of(middle, next);
      }
      cut(pair);
      pairs.push_back(pair);
      chunk = next;
    }
  }

 private:
  size_t tokens(size_t first, size_t last) const {
    return documents_.begin_of(last) - documents_.begin_of(first);
  }
  uint32_t size_of(size_t first, size_t last) const {
    return static_cast<uint32_t>(tokens(first, last));
  }

  void add_random_part(TextPair& pair) {
    pair.is_next = false;
    size_t other = document_;
    for (int draw = 0; draw < kDrawsOfADocument && other == document_; ++draw)
      other = random_.below(documents_.documents());
    const auto [begin, end] = documents_.sentences_of(other);
    const size_t first = between(random_, begin, end - 1);
    // At least one sentence, however long the first part is.
    size_t last = first + 1;
    while (last < end && pair.first_length + tokens(first, last) < target_) ++last;
    pair.second_begin = documents_.begin_of(first);
    pair.second_length = size_of(first, last);
  }

  void cut(TextPair& pair) {
    while (pair.first_length + pair.second_length > longest_) {
      const bool is_first = pair.first_length > pair.second_length;
      if (random_.uniform() < 0.5) ++(is_first ? pair.first_begin : pair.second_begin);
      --(is_first ? pair.first_length : pair.second_length);
    }
  }

  const DocumentTokens& documents_;
  const size_t document_;
  const size_t longest_;  // tokens of both parts
  size_t target_ = 0;
  PhiloxStream random_;
};

}  // namespace

void DocumentTokens::add_sentence(std::span<const int32_t> ids) {
  if (ids.empty()) return;
  ids_.insert(ids_.end(), ids.begin(), ids.end());
  sentence_begins_.push_back(ids_.size());
}

void DocumentTokens::end_document() {
  if (document_begins_.back() != sentences()) document_begins_.push_back(sentences());
}

std::vector<TextPair> text_pairs(const DocumentTokens& documents, const PairOptions& options,
                                 uint64_t seed, int64_t duplicate) {
  RETHINK_ASSERT(options.max_length >= kPairSpecialTokens + 2 && duplicate >= 0,
                 std::to_string(options.max_length) + " " + std::to_string(duplicate));
  std::vector<TextPair> pairs;
  const uint64_t pass = kTextPairStream + (static_cast<uint64_t>(duplicate) << 32);
  for (size_t document = 0; document < documents.documents(); ++document)
    DocumentPairs(documents, document, options, {seed, pass + document}).add_to(pairs);
  return pairs;
}

std::vector<uint32_t> pair_lengths(std::span<const TextPair> pairs) {
  std::vector<uint32_t> lengths;
  lengths.reserve(pairs.size());
  for (const TextPair& pair : pairs)
    lengths.push_back(pair.first_length + pair.second_length +
                      static_cast<uint32_t>(kPairSpecialTokens));
  return lengths;
}

}  // namespace rethink
