#include "datasets/pretraining/masked_pairs.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"
#include "datasets/philox_stream.h"

namespace rethink {
namespace {

constexpr uint64_t kTextPairStream = 0x7061697273000000;  // "pairs" in ASCII
constexpr int64_t kPairSpecialTokens = 3;                 // [CLS] and two [SEP]
constexpr int kDrawsOfADocument = 10;

/// A uniform number in low ... high.
size_t between(PhiloxStream& random, size_t low, size_t high) {
  return low + random.below(high - low + 1);
}

/// The pairs of one document, drawn from the document's own random stream.
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
    size_t chunk = begin;  // start of the collected sentences
    for (size_t next = begin; next < end;) {
      ++next;
      if (next < end && tokens(chunk, next) < target_) continue;
      size_t middle = chunk + 1;  // possible start of the second part
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

namespace {

constexpr uint64_t kMaskStream = 0x6d61736b73000000;  // "masks" in ASCII
constexpr double kMasked = 0.8, kMaskedOrRandom = 0.9;

/// One sequence: the model's input and the tokens to predict.
struct MaskedSequence {
  std::vector<int32_t> tokens;
  std::vector<size_t> positions;
  std::vector<int32_t> labels;
};

std::vector<int32_t> sequence_of(const MaskedPairs& source, const TextPair& pair) {
  const auto ids = source.documents.ids();
  const auto first = ids.subspan(pair.first_begin, pair.first_length);
  const auto second = ids.subspan(pair.second_begin, pair.second_length);
  std::vector<int32_t> tokens = {source.vocabulary.cls};
  tokens.insert(tokens.end(), first.begin(), first.end());
  tokens.push_back(source.vocabulary.sep);
  tokens.insert(tokens.end(), second.begin(), second.end());
  tokens.push_back(source.vocabulary.sep);
  return tokens;
}

/// Masks the sequence of pair `index`.
MaskedSequence masked(const MaskedPairs& source, uint32_t index) {
  const TextPair& pair = source.pairs[index];
  MaskedSequence sequence{sequence_of(source, pair), {}, {}};
  PhiloxStream random(
      {source.seed, kMaskStream + (static_cast<uint64_t>(source.duplicate) << 32) + index});
  std::vector<size_t> candidates;
  for (size_t place = 1; place + 1 < sequence.tokens.size(); ++place) {
    if (place != pair.first_length + 1) candidates.push_back(place);
  }
  const auto size = static_cast<double>(sequence.tokens.size());
  const auto wanted =
      std::max<int64_t>(1, static_cast<int64_t>(std::nearbyint(size * source.options.share)));
  const size_t count = std::min({static_cast<size_t>(wanted), candidates.size(),
                                 static_cast<size_t>(source.options.max_predictions)});
  for (size_t i = 0; i < count; ++i)
    std::swap(candidates[i], candidates[i + random.below(candidates.size() - i)]);
  candidates.resize(count);
  std::sort(candidates.begin(), candidates.end());
  for (const size_t place : candidates) {
    int32_t& token = sequence.tokens[place];
    sequence.positions.push_back(place);
    sequence.labels.push_back(token);
    const double draw = random.uniform();
    if (draw < kMasked) {
      token = source.vocabulary.mask;
    } else if (draw < kMaskedOrRandom) {
      token = static_cast<int32_t>(random.below(static_cast<uint64_t>(source.vocabulary.size)));
    }
  }
  return sequence;
}

}  // namespace

Columns pretraining_columns(const MaskedPairs& source, std::span<const uint32_t> indices,
                            const ColumnAllocator& allocate) {
  std::vector<MaskedSequence> sequences;
  size_t width = 0, predicted = 0;
  for (const uint32_t index : indices) {
    sequences.push_back(masked(source, index));
    width = std::max(width, sequences.back().tokens.size());
    predicted += sequences.back().positions.size();
  }
  ColumnMaker make(allocate);
  const auto inputs = make.integers("input_ids", {indices.size(), width}),
             types = make.integers("token_type_ids", {indices.size(), width});
  const auto keep = make.booleans("keep", {indices.size(), width});
  const auto positions = make.integers("masked_positions", {predicted}),
             labels = make.integers("masked_labels", {predicted}),
             next_sentence = make.integers("next_sentence", {indices.size()});
  size_t at = 0;
  for (size_t row = 0; row < indices.size(); ++row) {
    const MaskedSequence& sequence = sequences[row];
    const TextPair& pair = source.pairs[indices[row]];
    const size_t second_begin = pair.first_length + 2;
    for (size_t place = 0; place < width; ++place) {
      const bool is_token = place < sequence.tokens.size();
      inputs[row * width + place] = is_token ? sequence.tokens[place] : source.vocabulary.padding;
      types[row * width + place] = is_token && place >= second_begin ? 1 : 0;
      keep[row * width + place] = is_token ? 1 : 0;
    }
    for (size_t i = 0; i < sequence.positions.size(); ++i, ++at) {
      positions[at] = static_cast<int64_t>(row * width + sequence.positions[i]);
      labels[at] = sequence.labels[i];
    }
    next_sentence[row] = pair.is_next ? 0 : 1;
  }
  return make.columns;
}

}  // namespace rethink
