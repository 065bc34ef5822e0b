// A sentence in whose text entities are marked, as an encoder reads it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/options.h"
#include "datasets/wordpiece/wordpiece.h"

namespace rethink {

/// An entity: whatever is called by one of its mentions, wherever it stands.
struct MarkedEntity {
  std::string name;
  std::vector<std::string> mentions;  // none: its name

  void fields(Fields& field) {
    field("name", name, "of the entity").required();
    field("mentions", mentions,
          "words that stand for it, each time that they stand in the text; none: its name");
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

/// Every piece of a mention's words belongs to its entity. A mention is found where it stands as
/// whole words, upper and lower case told apart. Throws ConfigError for a mention that does not
/// stand in the text, or a word that two entities claim.
MarkedTokens marked_tokens(const MarkedSentence& sentence, const WordPiece& pieces);

}  // namespace rethink
