// How a text becomes sequences of tokens: the options that every data set of running text shares,
// and one line of a user's own text read with them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/options.h"
#include "core/json_fwd.h"
#include "datasets/tokenizers/tokenizer.h"
#include "datasets/vocabulary.h"

namespace rethink {

struct TextOptions {
  std::string unit = "word";
  Choice<"tokenizer"> tokenizer{.name = "space"};
  bool lowercase = false;
  std::string protocol = "lines";
  int64_t stream_length = 128;
  int64_t min_characters = 0;
  int64_t max_tokens = 0;
  int64_t vocabulary = 0;
  bool start_symbol = true;
  bool end_symbol = true;
  bool space_is_unknown = false;
  int64_t max_train_sequences = 0;
  std::vector<std::string> hints = {};

  void fields(Fields& field);
  static std::vector<Rule> rules();
};

/// Returns the tokens of a line. `unit` is word, char or byte (TextOptions); `tokenizer` makes the words.
std::vector<std::string> tokens_of(std::string_view line, const std::string& unit,
                                   const Tokenizer& tokenizer);

/// A sequence without its end symbol.
struct ReadLine {
  std::vector<std::string> tokens;  // as in the text, in lower case if the data set lower-cases
  std::vector<int32_t> ids;         // one per token; kUnknown if the vocabulary lacks the token
};

/// Returns `line` as a sequence of the data set with these options, which include those of
/// TextOptions. Throws ConfigError if the data set is not made from text, or if the line would be
/// cut.
ReadLine read_line(std::string_view line, const Json& options, const Vocabulary& vocabulary);

}  // namespace rethink
