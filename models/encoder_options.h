// The options of an encoder, as they stand under `model:` in a sweep.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/options.h"

namespace rethink {

/// A BERT encoder. The defaults are BERT-base's (Devlin et al., 2019, section 3, and the released
/// code's modeling.py).
struct EncoderOptions {
  int64_t layers = 12;
  int64_t d_model = 768;
  int64_t heads = 12;
  int64_t ffn = 3072;
  double dropout = 0.1;
  std::optional<double> attention_dropout;
  std::string activation = "gelu";
  int64_t max_positions = 512;
  int64_t token_types = 2;
  std::string pooled = "tanh";
  AttentionChoice attention{.name = "dense"};

  void fields(Fields& field);
  static std::vector<Rule> rules();
};

}  // namespace rethink
