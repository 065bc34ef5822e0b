// encoder_gradients MODEL_DIR INPUTS OUT: writes values that tests/check_hf/encoder.py cannot get from
// `rethink encode`. INPUTS has input_ids, token_type_ids and attention_mask. upstream.hidden and
// upstream.pooled are the factors of the last hidden state and of the pooled one. OUT gets, in float32
// and in float64, "float32.hidden_states.N", "float32.gradient.NAME" and so on, with Hugging Face's
// names.
#include <ATen/ATen.h>

#include <iostream>

#include "models/encoder.h"
#include "models/heads.h"
#include "models/huggingface/weights.h"

namespace rethink {
namespace {

struct PooledEncoder : torch::nn::Module {
  explicit PooledEncoder(const EncoderFolder& facts)
      : encoder(register_module("encoder",
                                std::make_shared<Encoder>(facts.options, facts.vocabulary, 0))),
        pooler(register_module("pooler", std::make_shared<Pooler>(facts.options, 0))) {}
  std::shared_ptr<Encoder> encoder;
  std::shared_ptr<Pooler> pooler;
};

void add_results(const std::filesystem::path& folder, const SafetensorsFile& inputs,
                 const std::string& name, TensorsByName& results) {
  const auto dtype = name == "float64" ? at::kDouble : at::kFloat;
  PooledEncoder model(read_encoder_folder(folder));
  load_huggingface(folder, model);
  model.eval();
  model.to(dtype);
  const at::Tensor ids = tensor_over(inputs.at("input_ids"));
  std::vector<at::Tensor> hidden;
  const at::Tensor last =
      model.encoder->forward({ids, tensor_over(inputs.at("token_type_ids")),
                              tensor_over(inputs.at("attention_mask")).to(at::kBool)},
                             {}, nullptr, &hidden);
  const auto upstream = [&](const std::string& of) {
    return tensor_over(inputs.at("upstream." + of)).to(dtype);
  };
  const at::Tensor pooled = model.pooler->forward(last);
  ((last * upstream("hidden")).sum() + (pooled * upstream("pooled")).sum()).backward();
  for (size_t layer = 0; layer < hidden.size(); ++layer)
    results[name + ".hidden_states." + std::to_string(layer)] = hidden[layer];
  results[name + ".pooler_output"] = pooled;
  for (const auto& [ours, parameter] : weights_of(model))
    results[name + ".gradient." + huggingface_name(read_family(folder), ours)] = parameter.grad();
}

int run(const std::vector<std::string>& words) {
  const SafetensorsFile inputs(words.at(1));
  TensorsByName results;
  for (const char* dtype : {"float32", "float64"}) add_results(words.at(0), inputs, dtype, results);
  write_tensors(words.at(2), results, {});
  return 0;
}

}  // namespace
}  // namespace rethink

int main(int count, char** words) {
  try {
    return rethink::run({words + 1, words + count});
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
