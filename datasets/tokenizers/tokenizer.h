// Tokenizers, which split a line of text into words. Each is one file that registers itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/config/registry.h"

namespace rethink {

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  virtual std::vector<std::string> tokenize(std::string_view line) const = 0;
  /// Returns the sentences of a line, in order, without white space between them. By default the
  /// line is one sentence.
  virtual std::vector<std::string> sentences(std::string_view line) const;
};

using TokenizerRegistry = Registry<Tokenizer>;
TokenizerRegistry& tokenizers();

}  // namespace rethink
