// A sentence in whose text entities are marked, as an encoder reads it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/config/options.h"
#include "datasets/wordpiece/wordpiece.h"

namespace rethink {

/// A part of a text, in characters from 0, the end not included.
struct TextSpan {
  int64_t begin = 0, end = 0;

  void fields(Fields& field) {
    field("begin", begin, "its first character, counted from 0").min(0).required();
    field("end", end, "the character after its last").min(1).required();
  }
};

/// An entity: whatever is called by one of its mentions, wherever it stands, and what is marked.
struct MarkedEntity {
  std::string name;
  std::vector<std::string> mentions;  // neither these nor spans: its name
  std::vector<TextSpan> spans{};

  void fields(Fields& field) {
    field("name", name, "of the entity").required();
    field("mentions", mentions,
          "words that stand for it, each time that they stand in the text; neither these nor "
          "spans: its name");
    field("spans", spans, "where it stands, for words that do not always mean it");
  }
};

/// One text, of one or several sentences that are read together.
struct MarkedSentence {
  std::string text;
  std::vector<MarkedEntity> entities;

  void fields(Fields& field) {
    field("text", text, "what the encoder reads").required();
    field("entities", entities, "whose attention for each other is counted").required().not_empty();
  }
};

/// Of a token: the number of its entity, from 1, or one of these.
inline constexpr int64_t kNoEntity = 0, kSpecialToken = -1;

struct MarkedTokens {
  std::vector<int64_t> ids;         // [CLS] text [SEP]
  std::vector<std::string> pieces;  // as the vocabulary has them: "##s"
  std::vector<int64_t> entities;    // of each token
};

/// Every piece of the words of a mention or span belongs to its entity. A mention is found where it
/// stands as whole words, upper and lower case told apart. Throws ConfigError for a mention that does
/// not stand in the text, a span beyond it or without a word, or a word that two entities claim.
MarkedTokens marked_tokens(const MarkedSentence& sentence, const WordPiece& pieces);

}  // namespace rethink
