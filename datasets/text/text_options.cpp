#include "datasets/text/text_options.h"

namespace rethink {

void TextOptions::fields(Fields& field) {
  field("unit", unit, "what a token is: a word, a character (code point) or a byte")
      .one_of({"word", "char", "byte"});
  field("tokenizer", tokenizer, "what splits a line into words, and into sentences");
  field("lowercase", lowercase, "lower-case the text first");
  field("protocol", protocol,
        "what a sequence is: a line; a sentence of a line; or a segment of one stream that runs "
        "through all lines")
      .one_of({"lines", "sentences", "stream"});
  field("stream_length", stream_length,
        "protocol stream: tokens that a segment predicts; the segment's first token is the last "
        "of the one before [tokens]")
      .min(1);
  field("min_characters", min_characters,
        "lines (sentences) with fewer are left out; a line's newline counts [characters]")
      .min(0);
  field("max_tokens", max_tokens,
        "longer sequences are cut, start and end symbols not counted; 0: never [tokens]")
      .min(0);
  field("vocabulary", vocabulary,
        "the most frequent tokens of the whole training split, the four special ones not "
        "counted; 0: all [tokens]")
      .min(0);
  field("start_symbol", start_symbol, "lines, sentences: begin with the start symbol");
  field("end_symbol", end_symbol,
        "end each sequence (stream of words: each line) with the end symbol");
  field("space_is_unknown", space_is_unknown,
        "unit char: the space has no id of its own (quirk of BET's released code)");
  field("max_train_sequences", max_train_sequences,
        "train only on the first ones, with the vocabulary of all; 0: all [sequences]")
      .min(0);
  // Files count by their content.
  field(
      "hints", hints,
      "files of dependency trees (CoNLL-U), such as one for each split, whose sentences are found "
      "again in the text: what attention syntax_guided learns from; of lines and sentences")
      .not_hashed();
}

std::vector<Rule> TextOptions::rules() {
  return {{"needs",
           {"hints", "protocol"},
           "a stream's segments cut sentences: give lines or sentences, or no hints",
           {nullptr, "lines", "sentences"}}};
}

}  // namespace rethink
