#include "models/attention/triplet_heads.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace rethink {

void TripletHeadsOptions::fields(Fields& field) {
  field(
      "triplet_heads", triplet_heads,
      "number of heads, counted from the last, that become triplet heads with three channels each")
      .min(1)
      .shapes();
  field("key2", key2, "the second key: from its own projection, or the first key again")
      .one_of({"own", "key"})
      .shapes();
}

TripletHeadsAttention::TripletHeadsAttention(const std::string& name,
                                             const TripletHeadsOptions& options,
                                             const AttentionSite& site)
    : ProjectedAttention(site), options_(options) {
  if (site.place != AttentionPlace::encoder_self) {
    throw ConfigError("wrong-attention",
                      fmt::format("attention '{}' is for encoders: a key is made of two tokens of "
                                  "one sequence, and one of "
                                  "them may be a later one; choose another kind for a decoder",
                                  name));
  }
  if (options.triplet_heads > site.heads) {
    throw ConfigError(
        "conflicting-values",
        fmt::format("attention '{}': got triplet_heads {}, expected at most heads, {}", name,
                    options.triplet_heads, site.heads));
  }
  if (triplet_channels() % 3 != 0) {
    throw ConfigError("conflicting-values",
                      fmt::format("attention '{}': {} heads of {} channels make no heads of three; "
                                  "choose triplet_heads so "
                                  "that triplet_heads * d_model / heads is a multiple of 3",
                                  name, options.triplet_heads, site.d_model / site.heads));
  }
  if (options.key2 == "own") add_projection("key2", triplet_channels());
}

double TripletHeadsAttention::pair_flops(int64_t tokens, int64_t width) const {
  const int64_t channels = triplet_channels();
  return Attention::pair_flops(tokens, width - channels) +
         static_cast<double>(channels / 3) * triplet_flops(tokens);
}

int64_t TripletHeadsAttention::triplet_channels() const {
  return options_.triplet_heads * (site_.d_model / site_.heads);
}

TripletInput TripletHeadsAttention::triplet_input(const at::Tensor& query_BTD,
                                                  const at::Tensor& key_BTD,
                                                  const at::Tensor& value_BTD,
                                                  const at::Tensor& input) const {
  const int64_t channels = triplet_channels(), first = site_.d_model - channels;
  const auto last = [&](const at::Tensor& all_BTD) { return all_BTD.narrow(2, first, channels); };
  const at::Tensor key_BTC = last(key_BTD);
  return {.query = last(query_BTD),
          .key = key_BTC,
          .key2 = options_.key2 == "own" ? projected("key2", input) : key_BTC,
          .value = last(value_BTD)};
}

at::Tensor TripletHeadsAttention::forward(const AttentionCall& call) {
  TORCH_CHECK(call.query_offset == 0 && call.query_input.size(1) == call.key_input.size(1),
              "triplet attention needs every token as a query: got ", call.query_input.size(1),
              " queries from position ", call.query_offset, " and ", call.key_input.size(1),
              " keys");
  const at::Tensor query_BTD = projected("query", call.query_input),
                   key_BTD = projected("key", call.key_input),
                   value_BTD = projected("value", call.key_input);
  const int64_t usual = site_.heads - options_.triplet_heads, width = site_.d_model / site_.heads;
  AttentionCall of_triplets = call;
  of_triplets.random = derived(call.random, 1);
  const auto usual_heads = [&](const at::Tensor& all_BTD) {
    return all_BTD.narrow(2, 0, usual * width).unflatten(2, {usual, width}).transpose(1, 2);
  };
  at::Tensor joined_BTD;
  if (usual > 0) {
    joined_BTD = attend(call, usual_heads(query_BTD), usual_heads(key_BTD), usual_heads(value_BTD),
                        {.dropout = dropout()}, call.random)
                     .transpose(1, 2)
                     .flatten(2);
  }
  const at::Tensor triplets_BTC =
      triplets(of_triplets, triplet_input(query_BTD, key_BTD, value_BTD, call.key_input));
  joined_BTD = usual > 0 ? at::cat({joined_BTD, triplets_BTC}, 2) : triplets_BTC;
  return projected("output", joined_BTD);
}

at::Tensor heads_of_three(const at::Tensor& channels) {
  return channels.unflatten(2, {-1, 3}).transpose(1, 2);
}

at::Tensor channels_of(const at::Tensor& heads_of_three) {
  return heads_of_three.transpose(1, 2).flatten(2);
}

}  // namespace rethink
