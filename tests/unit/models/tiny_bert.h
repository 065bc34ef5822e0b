// The encoder with pretraining heads whose weights tests/fixtures/tiny_bert holds, and the results of
// transformers for it. The file's metadata has the version of transformers (see
// tests/check_hf/make_tiny_bert.py).
#pragma once

#include <ATen/ATen.h>

#include <filesystem>

#include "core/format/safetensors.h"
#include "models/encoder.h"
#include "models/heads.h"
#include "models/tensors/tensor_file.h"

namespace rethink {

inline const std::filesystem::path kTinyBert =
    std::filesystem::path(RETHINK_SOURCE_DIR) / "tests/fixtures/tiny_bert";

struct PretrainingModel : torch::nn::Module {
  PretrainingModel(const EncoderOptions& options, int64_t vocabulary, uint64_t seed = 0)
      : encoder(register_module("encoder", std::make_shared<Encoder>(options, vocabulary, seed))),
        pooler(register_module("pooler", std::make_shared<Pooler>(options, seed))),
        mlm(register_module("mlm", std::make_shared<MaskedLanguageHead>(options.d_model, vocabulary,
                                                                        options.activation, seed))),
        nsp(register_module("nsp", std::make_shared<LinearHead>("nsp", options.d_model, 2, seed))) {
  }

  std::shared_ptr<Encoder> encoder;
  std::shared_ptr<Pooler> pooler;
  std::shared_ptr<MaskedLanguageHead> mlm;
  std::shared_ptr<LinearHead> nsp;
};

inline EncoderOptions tiny_options(const std::string& attention = "dense") {
  EncoderOptions options;
  options.layers = 2;
  options.d_model = 32;
  options.heads = 4;
  options.ffn = 48;
  options.max_positions = 24;
  options.attention.name = attention;
  return options;
}

constexpr int64_t kTinyVocabulary = 48;

/// Returns a tensor of tests/fixtures/tiny_bert/expected.safetensors.
inline at::Tensor expected(const std::string& name) {
  static const SafetensorsFile file(kTinyBert / "expected.safetensors");
  return tensor_over(file.at(name)).clone();
}

}  // namespace rethink
