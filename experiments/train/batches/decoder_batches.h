// Batches of decoders, losses of their sequences, and a check that attention masks are long enough
// for all sequences.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/dataset.h"
#include "experiments/train/device/host_copies.h"
#include "experiments/train/device/tensor_memory.h"
#include "experiments/train/metrics.h"
#include "experiments/train/task.h"
#include "models/options.h"

namespace rethink {

/// Adds the columns of language_model_columns to a batch, as i64. `input_name` [B,T] is the
/// decoder's input. N positions predict a token, and only these reach the vocabulary: `rows` [N]
/// are their positions in [B*T], ascending, `targets` [N] the predicted tokens, and
/// `sequence_of_row` [N] their sequences in the split. Sets batch.tokens.
void add_decoder_columns(const std::string& input_name, const TokenSequences& sequences,
                         const std::vector<uint32_t>& indices, TensorMemory& memory, Batch& batch);

/// Adds the losses of a batch's rows, float [N] [nats], to the losses of their sequences as soon as
/// `copies` has them on the host. `losses` must live until then.
void add_losses(const at::Tensor& nll_N, const Batch& batch, HostCopies& copies,
                std::vector<SequenceLoss>& losses);

/// Throws TrialError if an attention mask (dam, importance, masked) under the key `key` of a sweep
/// is for fewer than `tokens` tokens. This is for data whose lengths no rule of a job knows: the
/// first long text may come hours after the first step. `whose` describes the longest sequence:
/// "the longest sequence, of dev,".
void require_mask_for_all(const AttentionChoice& attention, const std::string& key, int64_t tokens,
                          const std::string& whose);

}  // namespace rethink
