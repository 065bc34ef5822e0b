// encoder_logits MODEL_DIR INPUTS OUT: writes values that tests/check_hf/exported.py cannot get from
// `rethink encode` or a trial's predictions. INPUTS has input_ids, token_type_ids and attention_mask. OUT
// gets the logits of each head of the folder, under the heads' names (models/heads.h):
//
//   mlm         float [B,T,V]
//   nsp         float [B,2]
//   classifier  float [B,C], of every token [B,T,C] where there is no pooler
//   span        float [B,T,2]
#include <ATen/ATen.h>

#include <iostream>

#include "models/encoder.h"
#include "models/heads.h"
#include "models/huggingface/weights.h"

namespace rethink {
namespace {

struct EncoderWithHeads : torch::nn::Module {
  EncoderWithHeads(const EncoderFolder& facts, const std::map<std::string, int64_t>& heads)
      : encoder(register_module("encoder",
                                std::make_shared<Encoder>(facts.options, facts.vocabulary, 0))) {
    const int64_t width = facts.options.d_model;
    for (const auto& [name, outputs] : heads) {
      if (name == "pooler") {
        pooler = register_module(name, std::make_shared<Pooler>(facts.options, 0));
      } else if (name == "mlm") {
        mlm = register_module(name, std::make_shared<MaskedLanguageHead>(
                                        width, outputs, facts.options.activation, 0));
      } else {
        linear[name] = register_module(name, std::make_shared<LinearHead>(name, width, outputs, 0));
      }
    }
  }

  TensorsByName logits(const EncoderInput& input) {
    const at::Tensor hidden_BTD = encoder->forward(input, {}, nullptr);
    const at::Tensor classified = pooler ? pooler->forward(hidden_BTD) : hidden_BTD;
    TensorsByName results;
    if (mlm) {
      const at::Tensor scores_NV = mlm->logits(hidden_BTD.flatten(0, 1), encoder->word_embedding());
      results["mlm"] = scores_NV.view({hidden_BTD.size(0), hidden_BTD.size(1), -1});
    }
    for (const auto& [name, head] : linear)
      results[name] = head->forward(name == "span" ? hidden_BTD : classified).contiguous();
    return results;
  }

  std::shared_ptr<Encoder> encoder;
  std::shared_ptr<Pooler> pooler;
  std::shared_ptr<MaskedLanguageHead> mlm;
  std::map<std::string, std::shared_ptr<LinearHead>> linear;
};

int run(const std::vector<std::string>& words) {
  const std::filesystem::path folder = words.at(0);
  const SafetensorsFile inputs(words.at(1));
  const at::NoGradGuard no_gradient;
  EncoderWithHeads model(read_encoder_folder(folder), heads_in(folder));
  load_huggingface(folder, model);
  model.eval();
  const at::Tensor ids = tensor_over(inputs.at("input_ids"));
  const at::Tensor keep = tensor_over(inputs.at("attention_mask")).to(at::kBool);
  write_tensors(words.at(2), model.logits({ids, tensor_over(inputs.at("token_type_ids")), keep}),
                {});
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
