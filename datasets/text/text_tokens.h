// Text of people's own, read as a data set of running text reads its lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_fwd.h"
#include "datasets/tokenizers/tokenizer.h"
#include "datasets/vocabulary.h"

namespace rethink {

/// `unit`, of TextOptions: word, char or byte; `tokenizer` makes the words.
std::vector<std::string> tokens_of(std::string_view line, const std::string& unit,
                                   const Tokenizer& tokenizer);

/// A sequence without its end symbol.
struct ReadLine {
  std::vector<std::string> tokens;  // as the text has them, lower-cased where the data set does so
  std::vector<int32_t> ids;         // of each; kUnknown for what the vocabulary has not
};

/// `line` as a sequence of the data set that has these options, those of TextOptions among them.
/// Throws ConfigError when it is not made from text, or when the line would be cut.
ReadLine read_line(std::string_view line, const Json& options, const Vocabulary& vocabulary);

}  // namespace rethink
