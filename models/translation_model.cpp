#include "models/translation_model.h"

#include <ATen/ATen.h>

#include <cmath>

#include "kernels/philox_dropout/philox_dropout.h"
#include "models/tensors/linear.h"
#include "models/tensors/random.h"

namespace rethink {

namespace {

constexpr uint64_t kTargetEmbeddingSite = kEmbeddingSite + 1;

}  // namespace

TranslationModel::TranslationModel(const TranslationModelOptions& options, int64_t vocabulary,
                                   uint64_t seed)
    : options_(options), sinusoids_(options.d_model) {
  add_embeddings(vocabulary, seed);
  make_layers("encoder", encoder_, seed);
  make_layers("decoder", decoder_, seed);
}

void TranslationModel::add_embeddings(int64_t vocabulary, uint64_t seed) {
  const double deviation = 1.0 / std::sqrt(static_cast<double>(options_.d_model));
  const auto add = [&](const std::string& name) {
    return add_weight(
        *this, name,
        seeded_normal(seed, name + ".weight", {vocabulary, options_.d_model}, deviation));
  };
  const std::string& shared = options_.shared_embeddings;
  target_embedding_ = add(shared == "all" ? "embedding" : "target_embedding");
  source_embedding_ = shared == "all" ? target_embedding_ : add("source_embedding");
  output_ = shared == "none" ? add("output") : target_embedding_;
}

void TranslationModel::make_layers(const std::string& stack, LayerStack& layers, uint64_t seed) {
  const bool decodes = stack == "decoder";
  const AttentionSite site{
      .d_model = options_.d_model,
      .heads = options_.heads,
      .dropout = options_.attention_dropout,
      .layers = decodes ? options_.layers : options_.encoder_layers,
      .place = decodes ? AttentionPlace::decoder_self : AttentionPlace::encoder_self};
  const LayerOptions layer_options{.ffn = options_.ffn,
                                   .dropout = options_.dropout,
                                   .activation_dropout = options_.activation_dropout,
                                   .activation = options_.activation,
                                   .layers_before = decodes ? options_.encoder_layers : 0};
  layers.make(*register_module(stack, std::make_shared<torch::nn::Module>()), layer_options,
              decodes ? options_.attention : options_.encoder_attention, site,
              {.seed = seed, .before = stack + "."}, decodes ? &options_.cross_attention : nullptr);
}

at::Tensor TranslationModel::embedded(const at::Tensor& embedding, const at::Tensor& ids,
                                      int64_t first, PhiloxKey dropout) {
  const double scale = std::sqrt(static_cast<double>(options_.d_model));
  const at::Tensor scaled_BTD = at::embedding(embedding, ids) * scale;
  const at::Tensor placed_BTD =
      scaled_BTD + sinusoids_.rows(first, ids.size(1), scaled_BTD.options());
  return is_training() ? philox_dropout(placed_BTD, options_.dropout, dropout) : placed_BTD;
}

EncodedSource TranslationModel::encoded(const at::Tensor& source_ids, const at::Tensor& keep,
                                        PhiloxKey pass, Recorder* record) {
  const at::Tensor embedded_BSD =
      embedded(source_embedding_, source_ids, /*first=*/0, site_key(pass, kEmbeddingSite));
  return {encoder_.forward({.input = embedded_BSD, .keep = keep, .pass = pass, .record = record}),
          keep};
}

at::Tensor TranslationModel::decoded(const at::Tensor& target_ids, const EncodedSource& source,
                                     PhiloxKey pass, const DecoderExtras& extras) {
  DecodingState* state = extras.state;
  const at::Tensor embedded_BTD = embedded(target_embedding_, target_ids, state ? state->tokens : 0,
                                           site_key(pass, kTargetEmbeddingSite));
  const at::Tensor hidden_BTD = decoder_.forward({.input = embedded_BTD,
                                                  .keep = extras.keep,
                                                  .causal = true,
                                                  .memory = source.states,
                                                  .memory_keep = source.keep,
                                                  .side = extras.side,
                                                  .pass = pass,
                                                  .record = extras.record},
                                                 state);
  if (state) state->tokens += target_ids.size(1);
  return hidden_BTD;
}

std::unique_ptr<DecodingState> TranslationModel::new_state() const {
  auto state = std::make_unique<DecodingState>();
  for (const auto& layer : decoder_.layers()) {
    state->layers.push_back(layer->new_state(StateUse::decoding));
    if (!state->layers.back().self) return nullptr;
  }
  return state;
}

at::Tensor TranslationModel::logits(const at::Tensor& hidden) const {
  return linear(hidden, output_, at::Tensor());
}

double TranslationModel::forward_flops(int64_t rows, int64_t source_tokens, int64_t target_tokens) {
  const auto width = static_cast<double>(options_.d_model),
             cross = static_cast<double>(rows * target_tokens * source_tokens) * 4.0 * width;
  // Products that make keys and values of the cross-attention from the source's tokens.
  const double moved = 2.0 * 2.0 * width * width * static_cast<double>(rows) *
                       static_cast<double>(source_tokens - target_tokens);
  return 2.0 * static_cast<double>(output_.numel()) * static_cast<double>(rows * target_tokens) +
         encoder_.forward_flops(rows, source_tokens) + decoder_.forward_flops(rows, target_tokens) +
         static_cast<double>(options_.layers) * (cross + moved);
}

namespace {

class TranslationDecoder : public NextTokens {
 public:
  TranslationDecoder(TranslationModel& model, EncodedSource source, PhiloxKey pass)
      : model_(model), source_(std::move(source)), pass_(pass), state_(model.new_state()) {}

  at::Device device() const override { return source_.states.device(); }

  at::Tensor next(const at::Tensor& parents, const at::Tensor& tokens, bool sources_move) override {
    if (sources_move) {
      source_ = {source_.states.index_select(0, parents), source_.keep.index_select(0, parents)};
    }
    const at::Tensor last_N1 = tokens.unsqueeze(1);
    at::Tensor read_NT = last_N1;
    if (state_) {
      reorder_state(parents, sources_move);
    } else {
      prefix_NT_ = prefix_NT_.defined() ? at::cat({prefix_NT_.index_select(0, parents), last_N1}, 1)
                                        : last_N1;
      read_NT = prefix_NT_;
    }
    const at::Tensor hidden_NTD = model_.decoded(read_NT, source_, pass_, {.state = state_.get()});
    return model_.logits(hidden_NTD.select(1, hidden_NTD.size(1) - 1)).log_softmax(-1, at::kFloat);
  }

 private:
  /// Keys of a source change only if a row gets another source.
  void reorder_state(const at::Tensor& rows, bool sources_move) {
    for (const LayerState& layer : state_->layers) {
      layer.self->reorder(rows);
      if (layer.cross && sources_move) layer.cross->reorder(rows);
    }
  }

  TranslationModel& model_;
  EncodedSource source_;  // of each row of the last call
  const PhiloxKey pass_;
  const std::unique_ptr<DecodingState> state_;  // null: the prefix is read again
  at::Tensor prefix_NT_;
};

}  // namespace

std::unique_ptr<NextTokens> make_translation_decoder(TranslationModel& model, EncodedSource source,
                                                     PhiloxKey pass) {
  return std::make_unique<TranslationDecoder>(model, std::move(source), pass);
}

}  // namespace rethink
