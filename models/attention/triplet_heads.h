// Common parts of the variants of triplet attention (A3). The last of the H heads become triplet
// heads, the others stay ordinary heads, and one output projection joins both.
//
// The channels of the triplet heads are cut in order into heads of three channels, since the scalar
// triple product q . (k1 x k2) exists in three dimensions (the slides; also in seven, which their
// code does not use). So 3 of BERT-base's heads of 64 channels become 64 triplet heads. Pretrained
// weights, output projection included, keep their channels. The second key has its own projection
// for these channels, which no pretrained model has. Its initial weights are those of the model's
// other linear layers (BERT: standard deviation 0.02, bias zero), as in the released code. Triplet
// scores are scaled by 1/sqrt(E) with the width E of the model's heads, also as in the released
// code. The slides do not explain their d_t.
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

/// Inputs of the triplet heads: float [B,T,C] with C = triplet_heads * E channels, three per head.
struct TripletInput {
  at::Tensor query, key, key2, value;
};

class TripletHeadsAttention : public ProjectedAttention {
 public:
  at::Tensor forward(const AttentionCall& call) override;
  double pair_flops(int64_t tokens, int64_t width) const override;

 protected:
  /// `name` is the variant's name, for messages. Throws ConfigError outside encoders, if the model
  /// has fewer heads, and if the channels do not divide into heads of three.
  TripletHeadsAttention(const std::string& name, const TripletHeadsOptions& options,
                        const AttentionSite& site);

  /// Returns the result of the triplet heads, float [B,T,C].
  virtual at::Tensor triplets(const AttentionCall& call, const TripletInput& input) = 0;
  /// Returns pair_flops of one triplet head.
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
