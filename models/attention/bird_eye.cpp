// Bird-eye attention without syntax guidance, BET(SF) (BET, section 3.2, equations 6 to 10):
//   H = softmax(S) V with S = Q K^T / sqrt(E) and the causal mask    first pass, no diagonal mask
//   R[s] = sigmoid(w^T [H_s ; K_s])                                  how high-level is token s
//   H' = softmax(S[t,s] R[s], masked, the diagonal too) V            second pass, the result
// R[s] multiplies the whole column of key s, which equals scaling K_s by R[s]. So both passes are
// the causal attention operator. R[s] depends on tokens up to s and is used only by t >= s, so
// no later token leaks.
//
// Paper and released code differ, and the defaults follow the paper. The released code takes H
// after the output projection (hidden_after_output), gives the second pass its own output
// projection (second_output), and gives w a bias (rescale_bias). Its language model uses Q in place
// of K (rescale_by). The paper's "R in R^d" is read as one number per token and head. The paper
// does not say how w extends to several heads. As in the released code, all heads of a layer share
// one w, and each head applies it to its own H and K. Both passes have dropout of weights.
//
// Without the causal mask, R[s] is computed from all tokens that s sees. R[s] needs the H of every
// key, hence self-attention with all queries at once. While a sequence is decoded, R[s] K_s is
// kept, which later tokens do not change.
#include <ATen/ATen.h>

#include <cmath>

#include "models/attention/attend.h"
#include "models/attention/attention.h"
#include "models/tensors/linear.h"

namespace rethink {
namespace {

struct BirdEyeOptions {
  bool diagonal_mask = true;
  bool second_output = false;
  bool hidden_after_output = false;
  bool rescale_bias = false;
  std::string rescale_by = "key";

  void fields(Fields& field) {
    field("diagonal_mask", diagonal_mask,
          "hide each token from itself in the second pass (false: Table 2, last row)");
    field("second_output", second_output,
          "give the second pass its own output projection (released code)")
        .shapes();
    field("hidden_after_output", hidden_after_output,
          "take H after the output projection (released code)");
    field("rescale_bias", rescale_bias, "add a bias to w^T [H ; K] (released code)").shapes();
    field("rescale_by", rescale_by,
          "what the rescaling reads beside H (paper: key; released language model: query)")
        .one_of({"key", "query"});
  }
};

class BirdEyeAttention : public CachedAttention {
 public:
  BirdEyeAttention(const BirdEyeOptions& options, const AttentionSite& site)
      : CachedAttention(site), options_(options) {
    if (site.place == AttentionPlace::decoder_cross) {
      throw ConfigError(
          "wrong-attention",
          "attention 'bird_eye' needs self-attention: it weighs each key by what that token sees; "
          "choose another kind for site decoder_cross");
    }
    if (options.second_output) add_projection("output2");
    const int64_t width = site.d_model / site.heads;
    auto rescale = register_module("rescale", std::make_shared<torch::nn::Module>());
    const double bound = 1.0 / std::sqrt(2.0 * static_cast<double>(width));  // as torch.nn.Linear
    weight_ =
        rescale->register_parameter("weight", at::empty({1, 2 * width}).uniform_(-bound, bound));
    if (options.rescale_bias)
      bias_ = rescale->register_parameter("bias", at::empty({1}).uniform_(-bound, bound));
  }

  double pair_flops(int64_t tokens, int64_t width) const override {
    return 2 * Attention::pair_flops(tokens, width);
  }

  at::Tensor forward(const AttentionCall& call) override {
    auto* state = static_cast<GrowingState*>(call.state);
    TORCH_CHECK(call.query_offset == (state ? state->tokens() : 0) &&
                    call.query_input.size(1) == call.key_input.size(1),
                "bird_eye needs every token as a query: got ", call.query_input.size(1),
                " queries from position ", call.query_offset, " and ", call.key_input.size(1),
                " keys");
    const at::Tensor query_BHTE = heads_of("query", call.query_input),
                     key_BHTE = heads_of("key", call.key_input),
                     value_BHTE = heads_of("value", call.key_input);
    const at::Tensor keys_BHKE = state ? state->extended("key", key_BHTE) : key_BHTE,
                     values_BHKE = state ? state->extended("value", value_BHTE) : value_BHTE;
    at::Tensor hidden_BHTE = attend(call, query_BHTE, keys_BHKE, values_BHKE,
                                    {.dropout = dropout(), .record = false}, call.random);
    if (options_.hidden_after_output) hidden_BHTE = in_heads(merged("output", hidden_BHTE));
    const at::Tensor& beside_BHTE = options_.rescale_by == "query" ? query_BHTE : key_BHTE;
    const at::Tensor rescale_BHT1 =
        linear(at::cat({hidden_BHTE, beside_BHTE}, -1), weight_, bias_).sigmoid();
    const at::Tensor rescaled_BHTE = key_BHTE * rescale_BHT1;
    const at::Tensor result_BHTE = attend(
        call, query_BHTE, state ? state->extended("rescaled_key", rescaled_BHTE) : rescaled_BHTE,
        values_BHKE, {.dropout = dropout(), .diagonal_masked = options_.diagonal_mask},
        derived(call.random, 1));
    return merged(options_.second_output ? "output2" : "output", result_BHTE);
  }

 private:
  const BirdEyeOptions options_;
  at::Tensor weight_;  // [1,2E]: first H, then K or Q
  at::Tensor bias_;    // [1] or undefined
};

RETHINK_REGISTERED = attentions().add<BirdEyeOptions>(
    {.name = "bird_eye",
     .summary =
         "BET(SF): a second pass whose keys are weighted by a first pass (BET, equations 6 to 10)",
     .facts = {.exceptions = {{"cross",
                               "each key is weighed by what that token sees as a query"}}}},
    [](const BirdEyeOptions& options, const AttentionSite& site) {
      return std::make_shared<BirdEyeAttention>(options, site);
    });

}  // namespace
}  // namespace rethink
