#include "datasets/text/text_tokens.h"

#include <fmt/format.h>

#include "core/json.h"
#include "datasets/text/text_options.h"
#include "datasets/unicode_text.h"

namespace rethink {
namespace {

/// A data set may have options of its own beside these, and weights say only those that are hashed.
TextOptions text_options_in(const Json& options) {
  if (!options.contains("protocol")) {
    throw ConfigError(
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
