// How a text becomes sequences of tokens: the options that every data set of running text shares.
#pragma once

#include <string>
#include <vector>

#include "core/config/options.h"
#include "datasets/tokenizers/tokenizer.h"

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

}  // namespace rethink
