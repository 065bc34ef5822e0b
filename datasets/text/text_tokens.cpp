#include "datasets/text/text_tokens.h"

#include <fmt/format.h>

#include "core/json.h"
#include "datasets/unicode_text.h"

namespace rethink {

void TextOptions::fields(Fields& field) {
  field("unit", unit, "what a token is: a word, a character (code point) or a byte")
      .one_of({"word", "char", "byte"});
  field("tokenizer", tokenizer, "rule that splits lines into words and sentences");
  field("lowercase", lowercase, "convert the text to lower case first");
  field("protocol", protocol,
        "what a sequence is: a line, a sentence of a line, or a segment of one stream that runs "
        "through all lines")
      .one_of({"lines", "sentences", "stream"});
  field("stream_length", stream_length,
        "with protocol stream: predicted tokens per segment; a segment starts with the last token "
        "of the segment before [tokens]")
      .min(1);
  field(
      "min_characters", min_characters,
      "lines (sentences) with fewer characters are left out; a line's newline counts [characters]")
      .min(0);
  field("max_tokens", max_tokens,
        "longer sequences are cut; start and end symbols do not count; 0: never [tokens]")
      .min(0);
  field("vocabulary", vocabulary,
        "number of tokens, the most frequent of the whole training split, without the four special "
        "tokens; 0: all [tokens]")
      .min(0);
  field("start_symbol", start_symbol, "begin each line or sentence with the start symbol");
  field("end_symbol", end_symbol,
        "end each sequence with the end symbol; in a stream of words, each line");
  field("space_is_unknown", space_is_unknown,
        "with unit char: the space has no id of its own (quirk of BET's released code)");
  field("max_train_sequences", max_train_sequences,
        "train only on the first sequences; the vocabulary is that of all sequences; 0: train on "
        "all [sequences]")
      .min(0);
  // Files count by their content.
  field("hints", hints,
        "dependency trees (CoNLL-U files) of sentences in the text, for example one file per "
        "split; attention syntax_guided learns from them; for lines and sentences")
      .not_hashed();
}

std::vector<Rule> TextOptions::rules() {
  return {needs_one_of("hints", nullptr, "protocol", {"lines", "sentences"},
                       "a stream's segments cut sentences: give lines or sentences, or no hints")};
}

namespace {

/// A data set may have other options beside these, and weights record only the hashed ones.
TextOptions text_options_in(const Json& options) {
  if (!options.contains("protocol")) {
    throw ConfigError(
        "wrong-data",
        "the model's data set is not made from text: expected one that splits lines into tokens, "
        "such as wikitext_2");
  }
  Json text = write_options(TextOptions{});
  for (auto& [name, value] : text.items()) value = options.value(name, value);
  return read_options<TextOptions>(text);
}

}  // namespace

std::vector<std::string> tokens_of(std::string_view line, const std::string& unit,
                                   const Tokenizer& tokenizer) {
  if (unit == "word") return tokenizer.tokenize(line);
  std::vector<std::string> tokens;
  if (unit == "char") {
    for (const std::string_view character : characters_of(line)) tokens.emplace_back(character);
  } else {
    for (const char byte : line) tokens.emplace_back(1, byte);
  }
  return tokens;
}

ReadLine read_line(std::string_view line, const Json& options, const Vocabulary& vocabulary) {
  const TextOptions text = text_options_in(options);
  const auto tokenizer = tokenizers().make(text.tokenizer.name, *text.tokenizer.options);
  const std::string cased = text.lowercase ? lower_case(line) : std::string(line);
  ReadLine read{tokens_of(cased, text.unit, *tokenizer), {}};
  if (text.max_tokens > 0 && static_cast<int64_t>(read.tokens.size()) > text.max_tokens) {
    throw ConfigError(
        "too-large",
        fmt::format("got {} tokens, expected at most {}, where the model's data were cut: \"{}\"",
                    read.tokens.size(), text.max_tokens, line));
  }
  for (const std::string& token : read.tokens) {
    const bool is_hidden = text.space_is_unknown && token == " ";
    read.ids.push_back(is_hidden ? Vocabulary::kUnknown : vocabulary.id(token));
  }
  if (text.start_symbol && text.protocol != "stream") {
    read.tokens.insert(read.tokens.begin(), vocabulary.text(Vocabulary::kStart));
    read.ids.insert(read.ids.begin(), Vocabulary::kStart);
  }
  return read;
}

}  // namespace rethink
