#include "experiments/train/batches/decoder_batches.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/json.h"
#include "datasets/batching.h"
#include "datasets/vocabulary.h"
#include "models/attention/attention.h"

namespace rethink {

void add_decoder_columns(const std::string& input_name, const TokenSequences& sequences,
                         const std::vector<uint32_t>& indices, TensorMemory& memory, Batch& batch) {
  const auto padded = memory.tensors(
      language_model_columns(sequences, indices, Vocabulary::kPadding, memory.allocator()));
  const at::Tensor& targets_BT = padded.at("targets");
  const int64_t* target = targets_BT.const_data_ptr<int64_t>();
  std::vector<int64_t> places, targets, sequence_of_row;
  for (int64_t place = 0; place < targets_BT.numel(); ++place) {
    if (target[place] == kNothingToPredict) continue;
    places.push_back(place);
    targets.push_back(target[place]);
    sequence_of_row.push_back(indices[static_cast<size_t>(place / targets_BT.size(1))]);
  }
  batch.columns[input_name] = padded.at("input_ids");
  batch.columns["rows"] = memory.integers(places);
  batch.columns["targets"] = memory.integers(targets);
  batch.columns["sequence_of_row"] = memory.integers(sequence_of_row);
  batch.tokens = static_cast<int64_t>(places.size());
}

void add_losses(const at::Tensor& nll_N, const Batch& batch, HostCopies& copies,
                std::vector<SequenceLoss>& losses) {
  copies.add({nll_N.to(at::kFloat), batch.columns.at("sequence_of_row")},
             [&losses](const std::vector<at::Tensor>& on_host) {
               const float* values = on_host[0].const_data_ptr<float>();
               const int64_t* sequences = on_host[1].const_data_ptr<int64_t>();
               for (int64_t row = 0; row < on_host[0].numel(); ++row) {
                 SequenceLoss& loss = losses[static_cast<size_t>(sequences[row])];
                 loss.nll += static_cast<double>(values[row]);
                 ++loss.tokens;
               }
             });
}

void require_mask_for_all(const AttentionChoice& attention, const std::string& key, int64_t tokens,
                          const std::string& whose) {
  const auto check = [&](const std::string& place, const std::string& variant,
                         const Json& options) {
    const Json all = attentions().completed(variant, options);
    if (!all.contains("length") || tokens <= all.at("length").get<int64_t>()) return;
    throw TrialError("too-long",
                     fmt::format("{} needs a mask for {} tokens, {}.length is {}: set it to {} or "
                                 "more",
                                 whose, tokens, place, all.at("length").get<int64_t>(), tokens));
  };
  check(key, attention.name, *attention.options);
  for (const auto& entry : attention.common.at) check(key + ".at", entry.name, *entry.options);
}

}  // namespace rethink
