// The attention of Transformer-XL (Dai et al., 2019, section 3). Positions are relative, and a
// segment also attends to the layer's earlier inputs:
//   S[i,j] = ((q_i + u) . k_j + (q_i + v) . W_r R[i-j]) / sqrt(E)
// R are the sinusoids of a distance; each head has vectors u and v. Keys and values come from the
// memory and the segment. The memory is the last `memory` inputs of the layer, kept in the call's
// state without gradient. Evaluations keep the last `memory_at_evaluation` inputs. Without a state
// a segment is read alone, as lines and sentences are.
//
// Each layer has its own u and v. The released PyTorch code shares one u and one v among all
// layers; the paper does not say. A model with this attention needs no other positions.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/attention/attend.h"
#include "models/attention/attention.h"
#include "models/layers.h"

namespace rethink {
namespace {

struct TransformerXlOptions {
  int64_t memory = 100;
  std::optional<int64_t> memory_at_evaluation;

  void fields(Fields& field) {
    field("memory", memory,
          "tokens of earlier segments that are kept (data.protocol: stream); batches are then read "
          "in order, whatever shuffle and buckets say; lines and sentences have no earlier segment "
          "[tokens]")
        .min(0);
    field("memory_at_evaluation", memory_at_evaluation,
          "memory in evaluations; null = memory [tokens]")
        .min(0)
        .absent_means(nullptr);
  }

  int64_t at_evaluation() const { return memory_at_evaluation.value_or(memory); }
};

class SegmentMemory : public AttentionState {
 public:
  SegmentMemory(int64_t most, int64_t most_at_evaluation)
      : most_(most), most_at_evaluation_(most_at_evaluation) {}

  int64_t tokens() const override { return input_BMD_.defined() ? input_BMD_.size(1) : 0; }
  void reorder(const at::Tensor& beams) override {
    if (input_BMD_.defined()) input_BMD_ = input_BMD_.index_select(0, beams);
  }
  void detach() override {
    if (input_BMD_.defined()) input_BMD_ = input_BMD_.detach();
  }
  void visit(
      const std::function<void(const std::string& name, at::Tensor& tensor)>& visitor) override {
    visitor("input", input_BMD_);
  }

  /// float [B,M+T,D]
  at::Tensor before(const at::Tensor& segment_BTD) const {
    return input_BMD_.defined() ? at::cat({input_BMD_, segment_BTD}, 1) : segment_BTD;
  }
  void keep(const at::Tensor& all_BSD) {
    // Attention may be in training mode during evaluations, but gradients are off.
    const int64_t most = at::GradMode::is_enabled() ? most_ : most_at_evaluation_,
                  kept = std::min(most, all_BSD.size(1));
    input_BMD_ = all_BSD.narrow(1, all_BSD.size(1) - kept, kept).detach();
  }

 private:
  const int64_t most_, most_at_evaluation_;  // tokens
  at::Tensor input_BMD_;
};

class TransformerXlAttention : public ProjectedAttention {
 public:
  TransformerXlAttention(const TransformerXlOptions& options, const AttentionSite& site)
      : ProjectedAttention(site), options_(options) {
    if (site.place == AttentionPlace::decoder_cross) {
      throw ConfigError(
          "wrong-attention",
          "attention 'transformer_xl' is for self-attention: between two sequences tokens have no "
          "distance; choose another kind for site decoder_cross");
    }
    const int64_t width = site.d_model;
    const double bound = std::sqrt(6.0 / (4.0 * static_cast<double>(width)));  // as a projection's
    position_ = add_weight(*this, "position", at::empty({width, width}).uniform_(-bound, bound));
    content_bias_ = register_parameter("content_bias", at::zeros({site.heads, width / site.heads}));
    position_bias_ =
        register_parameter("position_bias", at::zeros({site.heads, width / site.heads}));
  }

  /// While decoding, a token attends to all earlier tokens, as in a sequence that is read at once.
  /// The state keeps inputs, as with segments, and keys and values are computed again: no sweep
  /// decodes with this variant.
  std::unique_ptr<AttentionState> new_state(StateUse use) const override {
    constexpr int64_t all = std::numeric_limits<int64_t>::max();
    if (use == StateUse::decoding) return std::make_unique<SegmentMemory>(all, all);
    if (options_.memory == 0 && options_.at_evaluation() == 0) return nullptr;
    return std::make_unique<SegmentMemory>(options_.memory, options_.at_evaluation());
  }

  at::Tensor forward(const AttentionCall& call) override {
    auto* memory = static_cast<SegmentMemory*>(call.state);
    const at::Tensor all_BSD = memory ? memory->before(call.key_input) : call.key_input;
    const int64_t earlier = all_BSD.size(1) - call.key_input.size(1);
    AttentionCall longer{.query_input = call.query_input,
                         .key_input = all_BSD,
                         .key_keep = with_memory(call.key_keep, earlier),
                         .causal = call.causal,
                         .query_offset = call.query_offset,
                         .random = call.random,
                         .record = call.record};
    const at::Tensor query_BHQE = heads_of("query", call.query_input),
                     key_BHSE = heads_of("key", all_BSD);
    const at::Tensor content_BHQS =
        at::matmul(query_BHQE + content_bias_.unsqueeze(1), key_BHSE.transpose(2, 3));
    const at::Tensor scores_BHQS =
        (content_BHQS + by_distance(query_BHQE + position_bias_.unsqueeze(1), all_BSD.size(1),
                                    longer.query_offset)) *
        scale();
    const at::Tensor result_BTD = merged(
        "output",
        attend_by_scores(longer, scores_BHQS, heads_of("value", all_BSD), dropout(), call.random));
    if (memory) memory->keep(all_BSD);
    return result_BTD;
  }

 private:
  static at::Tensor with_memory(const at::Tensor& keep_BT, int64_t earlier) {
    if (!keep_BT.defined() || earlier == 0) return keep_BT;
    return at::cat({at::ones({keep_BT.size(0), earlier}, keep_BT.options()), keep_BT}, 1);
  }

  /// Returns q . W_r R[i-j] for query i, at position i + offset, and key j: float [B,H,Q,E] ->
  /// [B,H,Q,S]. Multiplies all distances at once, from the largest down, and shifts row i by i.
  at::Tensor by_distance(const at::Tensor& query_BHQE, int64_t keys, int64_t offset) const {
    const int64_t batch = query_BHQE.size(0), queries = query_BHQE.size(2),
                  count = queries + keys;  // one more than the distances, only for the rows' length
    const at::Tensor distances =
        (offset + queries - 1) - at::arange(count, query_BHQE.options());  // exact in float
    const at::Tensor rows_MD = at::matmul(sinusoids(distances), position_.t());
    const at::Tensor rows_HEM = rows_MD.view({count, site_.heads, -1}).permute({1, 2, 0});
    const at::Tensor all_BHQM = at::matmul(query_BHQE, rows_HEM);
    // In the flat rows, element (i, queries - 1 - i + j) is element (i, j) of rows that are one shorter.
    return all_BHQM.reshape({batch, site_.heads, queries * count})
        .narrow(2, queries - 1, queries * (count - 1))
        .view({batch, site_.heads, queries, count - 1})
        .narrow(3, 0, keys);
  }

  /// Returns the sinusoids of distances, float [M] -> float [M,D]: sines of all frequencies, then
  /// cosines, as in the released code.
  at::Tensor sinusoids(const at::Tensor& distances) const {
    const int64_t width = site_.d_model, half = (width + 1) / 2;
    const at::Tensor frequencies = at::exp(at::arange(half, distances.options()) *
                                           (-2.0 * std::log(10000.0) / static_cast<double>(width)));
    const at::Tensor angles = distances.unsqueeze(1) * frequencies;
    return at::cat({angles.sin(), angles.cos()}, 1).narrow(1, 0, width);
  }

  const TransformerXlOptions options_;
  at::Tensor position_;                      // [D,D], W_r
  at::Tensor content_bias_, position_bias_;  // [H,E], u and v
};

RETHINK_REGISTERED = attentions().add<TransformerXlOptions>(
    {.name = "transformer_xl",
     .summary = "relative positions, and a memory of earlier segments (Dai et al., 2019)",
     .revision = 2,
     .facts = {.exceptions = {{"cross", "between two sequences tokens have no distance"}},
               .segment_memory = {"memory", "memory_at_evaluation"}}},
    [](const TransformerXlOptions& options, const AttentionSite& site) {
      return std::make_shared<TransformerXlAttention>(options, site);
    });

}  // namespace
}  // namespace rethink
