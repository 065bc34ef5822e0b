#include "models/translation_decoder.h"

#include <ATen/ATen.h>

namespace rethink {
namespace {

/// What each row reads: its sentence, chosen from those that were encoded.
class Sources {
 public:
  explicit Sources(EncodedSource all)
      : all_(std::move(all)), of_row_(at::arange(all_.states.size(0), at::kLong)), rows_(all_) {}

  /// i64 [N] on the CPU. Returns whether some row reads another sentence than the row of its number
  /// did.
  bool reorder(const at::Tensor& parents) {
    const at::Tensor of_row = of_row_.index_select(0, parents);
    if (at::equal(of_row, of_row_)) return false;
    of_row_ = of_row;
    const at::Tensor index = of_row.to(all_.states.device());
    rows_ = {all_.states.index_select(0, index), all_.keep.index_select(0, index)};
    return true;
  }

  const EncodedSource& rows() const { return rows_; }

 private:
  const EncodedSource all_;
  at::Tensor of_row_;  // i64 [N] on the CPU
  EncodedSource rows_;
};

class TranslationDecoder : public NextTokens {
 public:
  TranslationDecoder(TranslationModel& model, EncodedSource source, PhiloxKey pass)
      : model_(model), sources_(std::move(source)), pass_(pass), state_(model.new_state()) {}

  at::Tensor next(const at::Tensor& parents, const at::Tensor& tokens) override {
    const bool moves = sources_.reorder(parents);
    const at::Device device = sources_.rows().states.device();
    const at::Tensor rows = parents.to(device), last_N1 = tokens.to(device).unsqueeze(1);
    at::Tensor read_NT = last_N1;
    if (state_) {
      reorder_state(rows, moves);
    } else {
      prefix_NT_ =
          prefix_NT_.defined() ? at::cat({prefix_NT_.index_select(0, rows), last_N1}, 1) : last_N1;
      read_NT = prefix_NT_;
    }
    const at::Tensor hidden_NTD =
        model_.decoded(read_NT, sources_.rows(), pass_, {.state = state_.get()});
    return model_.logits(hidden_NTD.select(1, hidden_NTD.size(1) - 1)).log_softmax(-1, at::kFloat);
  }

 private:
  /// Keys of a source change only where a row reads another one.
  void reorder_state(const at::Tensor& rows, bool sources_move) {
    for (const LayerState& layer : state_->layers) {
      layer.self->reorder(rows);
      if (layer.cross && sources_move) layer.cross->reorder(rows);
    }
  }

  TranslationModel& model_;
  Sources sources_;
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
