// Sentences with marked entities, as an encoder reads them, and which of their tokens the attention
// of a layer connects (A3 slides, "NER Visualization"). The slides count 'CROSS' and "other
// connections" but define neither; docs/fidelity.md ("Triplet attention") has the decisions.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/config/options.h"
#include "datasets/wordpiece/wordpiece.h"
#include "models/attention/attention.h"

namespace rethink {

/// A part of a text, in characters from 0, without the end.
struct TextSpan {
  int64_t begin = 0, end = 0;

  void fields(Fields& field) {
    field("begin", begin, "first character, counted from 0").min(0).required();
    field("end", end, "one past the last character").min(1).required();
  }
};

/// An entity: all occurrences of its mentions, and the marked spans.
struct MarkedEntity {
  std::string name;
  std::vector<std::string> mentions;  // without mentions and spans: the name
  std::vector<TextSpan> spans{};

  void fields(Fields& field) {
    field("name", name, "name of the entity").required();
    field("mentions", mentions,
          "words that mean the entity wherever they occur in the text; without mentions and spans: "
          "the entity's name");
    field("spans", spans, "positions of the entity, for words that do not always mean it");
  }
};

/// A text of one or several sentences that are read together.
struct MarkedSentence {
  std::string text;
  std::vector<MarkedEntity> entities;

  void fields(Fields& field) {
    field("text", text, "text that the encoder reads").required();
    field("entities", entities, "entities whose attention to each other is counted")
        .required()
        .not_empty();
  }
};

struct MarkedTokens {
  std::vector<int64_t> ids;         // [CLS] text [SEP]
  std::vector<std::string> pieces;  // from the vocabulary: "##s"
  std::vector<int64_t>
      entities;  // number of each token's entity (core/store_files/entity_numbers.h)
};

/// Returns the tokens of a sentence with their entities. Every piece of a mention's or span's words
/// belongs to its entity. A mention matches whole words of the same case. Throws ConfigError for a
/// missing mention, a span beyond the text or without a word, and a word that two entities claim.
MarkedTokens marked_tokens(const MarkedSentence& sentence, const WordPiece& pieces);

/// Relation between a token and another token that it attends to.
enum class Connection : uint8_t {
  none = 0,   // not connected
  other = 1,  // at most one of the two belongs to an entity
  self = 2,   // both belong to one entity, perhaps to two of its mentions
  cross = 3,  // they belong to two entities
};

struct ConnectionOptions {
  double threshold = 1.0;  // connected = more attention than this many times 1/n, with n tokens
  bool diagonal = false;   // a token may be connected with itself
};

/// Returns the maps of each layer as one mean over its heads. Heads count by their channels: each
/// of H heads of E channels counts 1/H, and heads of three channels together count as the heads
/// that they replace.
///
/// record   of one sequence: maps float [1,H,T,T] with values [1,H,T,E]
/// width    channels of a layer, D
/// returns  f32 [L,T,T]  on the CPU; rows sum to 1
///
/// Throws TrialError if the maps do not form `layers` layers of this width: a variant has no map,
/// or its map has another meaning.
at::Tensor head_means(const Recorder& record, int64_t layers, int64_t width);

/// Returns the Connection of each pair of tokens.
///
/// weights   f32 [L,T,T] or [T,T]
/// entities  of each token, as in MarkedTokens. Special tokens are never connected, but count among
///           the n of the threshold, since they also get attention
/// returns   u8, shape of weights
at::Tensor connections(const at::Tensor& weights, const std::vector<int64_t>& entities,
                       const ConnectionOptions& options);

/// Returns the number of connections of each kind in a layer, from u8 [T,T].
std::map<Connection, int64_t> count_connections(const at::Tensor& layer);

}  // namespace rethink
