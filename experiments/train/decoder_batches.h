// Batches of decoders, of which some positions predict something, losses of their sequences, and a
// check that masks of attention are long enough for all sequences.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/dataset.h"
#include "experiments/train/host_copies.h"
#include "experiments/train/metrics.h"
#include "experiments/train/task.h"
#include "experiments/train/tensor_memory.h"
#include "models/options.h"

namespace rethink {

/// Adds the columns of language_model_columns to a batch, as i64: `input_name` [B,T], what the decoder
/// reads; and of the N places that predict something, which alone reach the vocabulary, `rows` [N]
/// in [B*T], ascending, `targets` [N], the token there, and `sequence_of_row` [N], which of the
/// split's. Sets batch.tokens.
void add_decoder_columns(const std::string& input_name, const TokenSequences& sequences,
                         const std::vector<uint32_t>& indices, TensorMemory& memory, Batch& batch);

/// Adds float [N], the losses of a batch's rows [nats], to those of their sequences, once `copies` has
/// them on the host. `losses` must live until then.
void add_losses(const at::Tensor& nll_N, const Batch& batch, HostCopies& copies,
                std::vector<SequenceLoss>& losses);

/// Masks of attention are made for so many tokens (dam, importance, masked). For the data of which
/// no rule of a job knows how long they are: the first long text may come hours after the first
/// step. Throws TrialError when a mask of the attention, which stands under `key` in a sweep, is for
/// fewer than `tokens`. `whose` are they: "the longest sequence, of dev,".
void require_mask_for_all(const AttentionChoice& attention, const std::string& key, int64_t tokens,
                          const std::string& whose);

}  // namespace rethink
