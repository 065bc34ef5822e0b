#include "experiments/train/analyses/marked_sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "datasets/unicode_text.h"

namespace rethink {
namespace {

/// Whether a letter or digit stands between two of the places where characters begin.
bool is_of_a_word(std::string_view text, size_t begin, size_t end) {
  const std::u32string character = to_code_points(text.substr(begin, end - begin));
  return !character.empty() && (is_letter(character.front()) || is_numeric(character.front()));
}

/// Where `mention` stands as words of its own. `begins` is code_point_begins of `text`.
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
      throw ConfigError(fmt::format("'{}' does not stand as words of its own in \"{}\"", mention,
                                    sentence_.text));
    }
    for (const ByteRange& range : ranges) mark(range, entity);
  }

  void mark(const TextSpan& span, int64_t entity) {
    const auto characters = static_cast<int64_t>(begins_.size()) - 1;
    const auto byte = [&](int64_t character) { return begins_[static_cast<size_t>(character)]; };
    const bool inside = span.begin < span.end && span.end <= characters;
    if (!inside || !mark(ByteRange{byte(span.begin), byte(span.end)}, entity)) {
      throw ConfigError(
          fmt::format("characters {} to {} are no word of \"{}\"; expected begin < end <= {}",
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
      throw ConfigError(fmt::format(
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

}  // namespace rethink
