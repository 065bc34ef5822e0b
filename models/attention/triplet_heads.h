// What the variants of triplet attention (A3) share: of H heads the last are triplet heads, the
// others stay as they were, and both go through one output projection.
//
// The channels of the triplet heads, in their order, are cut into heads of three: the scalar triple
// product q . (k1 x k2) exists in three dimensions (the slides; in seven too, which their code does
// not use). So 3 of BERT-base's heads of 64 become 64 triplet heads, and the weights that were
// pretrained for them, output projection included, keep their channels. The second key has a
// projection of its own, of those channels alone, which no pretrained model has: it begins as the
// model's other linear layers do (BERT: deviation 0.02, bias zero), as in the released code. So is
// the scale of triplet scores, 1/sqrt(E) with the width E of the model's heads: the slides' d_t is
// not explained.
#pragma once

#include <string>

#include "models/attention/attend.h"
#include "models/attention/attention.h"

namespace rethink {

struct TripletHeadsOptions {
  int64_t triplet_heads = 3;
  std::string key2 = "own";

  void fields(Fields& field);
};

/// Of the triplet heads; float [B,T,C] with C = triplet_heads * E channels, three a head.
struct TripletInput {
  at::Tensor query, key, key2, value;
};

class TripletHeadsAttention : public ProjectedAttention {
 public:
  at::Tensor forward(const AttentionCall& call) override;
  double pair_flops(int64_t tokens, int64_t width) const override;

 protected:
  /// `name` of the variant, for messages. Throws ConfigError where there are not that many heads,
  /// or their channels do not make heads of three, and outside encoders.
  TripletHeadsAttention(const std::string& name, const TripletHeadsOptions& options,
                        const AttentionSite& site);

  /// What the triplet heads see: float [B,T,C].
  virtual at::Tensor triplets(const AttentionCall& call, const TripletInput& input) = 0;
  /// pair_flops of one triplet head.
  virtual double triplet_flops(int64_t tokens) const { return Attention::pair_flops(tokens, 3); }

  int64_t triplet_channels() const;

 private:
  TripletInput triplet_input(const at::Tensor& query_BTD, const at::Tensor& key_BTD,
                             const at::Tensor& value_BTD, const at::Tensor& input) const;

  const TripletHeadsOptions options_;
};

/// float [B,T,C] -> float [B,C/3,T,3]
at::Tensor heads_of_three(const at::Tensor& channels);

/// float [B,G,T,3] -> float [B,T,3G]
at::Tensor channels_of(const at::Tensor& heads_of_three);

}  // namespace rethink
