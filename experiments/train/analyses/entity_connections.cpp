#include "experiments/train/analyses/entity_connections.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/error.h"
#include "core/store_files/entity_numbers.h"
#include "datasets/unicode_text.h"

namespace rethink {
namespace {

/// Whether a letter or digit is between two of the starts of characters.
bool is_of_a_word(std::string_view text, size_t begin, size_t end) {
  const std::u32string character = to_code_points(text.substr(begin, end - begin));
  return !character.empty() && (is_letter(character.front()) || is_numeric(character.front()));
}

/// The ranges in which `mention` is a whole word. `begins` is code_point_begins of `text`.
std::vector<ByteRange> ranges_of(const std::string& mention, const std::string& text,
                                 const std::vector<size_t>& begins) {
  std::vector<ByteRange> ranges;
  for (size_t at = text.find(mention); at != std::string::npos; at = text.find(mention, at + 1)) {
    const size_t end = at + mention.size();
    const auto first = std::ranges::lower_bound(begins, at);
    const auto next = std::ranges::upper_bound(begins, end);
    const bool goes_on = (first != begins.begin() && is_of_a_word(text, *std::prev(first), at)) ||
                         (end < text.size() && is_of_a_word(text, end, *next));
    if (!goes_on) ranges.push_back({at, end});
  }
  return ranges;
}

class Marker {
 public:
  Marker(const MarkedSentence& sentence, const std::vector<ByteRange>& tokens)
      : sentence_(sentence),
        begins_(code_point_begins(sentence.text)),
        tokens_(tokens),
        entities_(tokens.size(), kNoEntity) {}

  std::vector<int64_t> marked() {
    for (size_t number = 0; number < sentence_.entities.size(); ++number) {
      const MarkedEntity& entity = sentence_.entities[number];
      std::vector<std::string> mentions = entity.mentions;
      if (mentions.empty() && entity.spans.empty()) mentions = {entity.name};
      for (const std::string& mention : mentions) mark(mention, static_cast<int64_t>(number) + 1);
      for (const TextSpan& span : entity.spans) mark(span, static_cast<int64_t>(number) + 1);
    }
    return entities_;
  }

 private:
  void mark(const std::string& mention, int64_t entity) {
    const std::vector<ByteRange> ranges =
        mention.empty() ? std::vector<ByteRange>() : ranges_of(mention, sentence_.text, begins_);
    if (ranges.empty()) {
      throw ConfigError(
          "invalid-sentence",
          fmt::format("'{}' does not occur as whole words in \"{}\"", mention, sentence_.text));
    }
    for (const ByteRange& range : ranges) mark(range, entity);
  }

  void mark(const TextSpan& span, int64_t entity) {
    const auto characters = static_cast<int64_t>(begins_.size()) - 1;
    const auto byte = [&](int64_t character) { return begins_[static_cast<size_t>(character)]; };
    const bool inside = span.begin < span.end && span.end <= characters;
    if (!inside || !mark(ByteRange{byte(span.begin), byte(span.end)}, entity)) {
      throw ConfigError(
          "invalid-sentence",
          fmt::format(
              "characters {} to {} are not whole words of \"{}\"; expected begin < end <= {}",
              span.begin, span.end, sentence_.text, characters));
    }
  }

  bool mark(const ByteRange& range, int64_t entity) {
    bool found = false;
    for (size_t token = 0; token < tokens_.size(); ++token) {
      if (tokens_[token].begin >= range.end || range.begin >= tokens_[token].end) continue;
      claim(token, entity);
      found = true;
    }
    return found;
  }

  void claim(size_t token, int64_t entity) {
    const int64_t before = entities_[token];
    if (before != kNoEntity && before != entity) {
      throw ConfigError(
          "invalid-sentence",
          fmt::format(
              "'{}' and '{}' share a word in \"{}\"; expected each word in one entity at most",
              sentence_.entities[static_cast<size_t>(before - 1)].name,
              sentence_.entities[static_cast<size_t>(entity - 1)].name, sentence_.text));
    }
    entities_[token] = entity;
  }

  const MarkedSentence& sentence_;
  const std::vector<size_t> begins_;
  const std::vector<ByteRange>& tokens_;
  std::vector<int64_t> entities_;
};

/// The rounding of float32: a token that attends equally to all is not connected.
constexpr double kRounding = 1e-5;

/// The kind of connection between two tokens.
Connection kind_of(int64_t query, int64_t key) {
  if (query == kNoEntity || key == kNoEntity) return Connection::other;
  return query == key ? Connection::self : Connection::cross;
}

/// u8 [T,T]: the kind that a connection of each pair would have.
at::Tensor kinds_of_pairs(const std::vector<int64_t>& entities, bool diagonal) {
  const auto tokens = static_cast<int64_t>(entities.size());
  at::Tensor kinds_TT = at::zeros({tokens, tokens}, at::kByte);
  auto* kind = kinds_TT.mutable_data_ptr<uint8_t>();
  for (size_t query = 0; query < entities.size(); ++query) {
    for (size_t key = 0; key < entities.size(); ++key, ++kind) {
      const bool is_special = entities[query] == kSpecialToken || entities[key] == kSpecialToken;
      if (is_special || (query == key && !diagonal)) continue;
      *kind = static_cast<uint8_t>(kind_of(entities[query], entities[key]));
    }
  }
  return kinds_TT;
}

}  // namespace

MarkedTokens marked_tokens(const MarkedSentence& sentence, const WordPiece& pieces) {
  std::vector<int32_t> ids;
  std::vector<ByteRange> ranges;
  pieces.encode(sentence.text, ids, ranges);
  std::vector<int64_t> entities = Marker(sentence, ranges).marked();
  ids.insert(ids.begin(), pieces.classifier());
  ids.push_back(pieces.separator());
  entities.insert(entities.begin(), kSpecialToken);
  entities.push_back(kSpecialToken);
  MarkedTokens tokens{{ids.begin(), ids.end()}, {}, std::move(entities)};
  for (const int32_t id : ids) tokens.pieces.push_back(pieces.piece(id));
  return tokens;
}

at::Tensor head_means(const Recorder& record, int64_t layers, int64_t width) {
  std::vector<at::Tensor> means;
  int64_t channels = 0;  // channels of the layer so far
  for (size_t i = 0; i < record.maps.size(); ++i) {
    const at::Tensor map_HTT = record.maps[i].squeeze(0).to(at::kFloat);
    const int64_t per_head = record.values[i].size(3);
    const double share = static_cast<double>(per_head) / static_cast<double>(width);
    const at::Tensor part_TT = map_HTT.sum(0) * share;
    if (channels == 0) {
      means.push_back(part_TT);
    } else {
      means.back() = means.back() + part_TT;
    }
    channels += map_HTT.size(0) * per_head;
    if (channels == width) channels = 0;
    if (channels > width) break;
  }
  if (channels != 0 || static_cast<int64_t>(means.size()) != layers)
    throw TrialError(
        "wrong-attention",
        fmt::format("the heads of its attention maps do not add up to {} layers of {} channels",
                    layers, width));
  return at::stack(means).to(at::kCPU).contiguous();
}

at::Tensor connections(const at::Tensor& weights, const std::vector<int64_t>& entities,
                       const ConnectionOptions& options) {
  const double least = options.threshold * (1 + kRounding) / static_cast<double>(entities.size());
  const at::Tensor kinds_TT = kinds_of_pairs(entities, options.diagonal);
  return weights.gt(least).to(at::kByte).mul(kinds_TT).contiguous();
}

std::map<Connection, int64_t> count_connections(const at::Tensor& layer) {
  std::map<Connection, int64_t> counts;
  for (const Connection kind : {Connection::other, Connection::self, Connection::cross})
    counts[kind] = layer.eq(static_cast<int64_t>(kind)).sum().item<int64_t>();
  return counts;
}

}  // namespace rethink
