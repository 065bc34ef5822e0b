// Sentences whose text has marked entities, as an encoder reads them, and which of their tokens the
// attention of a layer connects (A3 slides, "NER Visualization"). The slides count 'CROSS' and
// "other connections" and define neither; docs/fidelity.md ("Triplet attention") says what is decided
// here.
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

/// A part of a text, in characters from 0, the end not included.
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
  std::vector<std::string> mentions;  // neither these nor spans: its name
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
  std::vector<std::string> pieces;  // as the vocabulary has them: "##s"
  std::vector<int64_t> entities;    // of each token (core/format/entity_numbers.h)
};

/// Every piece of the words of a mention or span belongs to its entity. A mention is found where it
/// stands as whole words, upper and lower case told apart. Throws ConfigError for a mention that does
/// not stand in the text, a span beyond it or without a word, or a word that two entities claim.
MarkedTokens marked_tokens(const MarkedSentence& sentence, const WordPiece& pieces);

/// Relation between a token and another token that it attends to.
enum class Connection : uint8_t {
  none = 0,   // not connected
  other = 1,  // at most one of the two is of an entity
  self = 2,   // of one entity, perhaps of two of its mentions
  cross = 3,  // of two entities
};

struct ConnectionOptions {
  double threshold = 1.0;  // connected is what has more than this many times 1/n of n tokens
  bool diagonal = false;   // a token may be connected with itself
};

/// The maps of each layer, one mean over its heads. A head counts as the channels that it has: those
/// of H heads of E channels 1/H each, and heads of three channels together as the heads that they
/// stand for.
///
/// record   of one sequence: maps float [1,H,T,T] with values [1,H,T,E]
/// width    channels of a layer, D
/// returns  f32 [L,T,T]  on the CPU; rows sum to 1
///
/// Throws TrialError when the maps do not make up `layers` layers of that width: a variant that has
/// no map, or whose map stands for something else.
at::Tensor head_means(const Recorder& record, int64_t layers, int64_t width);

/// weights   f32 [L,T,T] or [T,T]
/// entities  of each token, as MarkedTokens has them; special tokens are never connected, but are
///           among the n that the threshold is of: attention goes to them, too
/// returns   u8, as many  of Connection
at::Tensor connections(const at::Tensor& weights, const std::vector<int64_t>& entities,
                       const ConnectionOptions& options);

/// Returns the number of connections of each kind in a layer, from u8 [T,T].
std::map<Connection, int64_t> count_connections(const at::Tensor& layer);

}  // namespace rethink
