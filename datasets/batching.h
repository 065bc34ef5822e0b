// Which sequences make which batch, and batches as named columns in memory that the caller
// provides.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "datasets/dataset.h"

namespace rethink {

enum class ColumnType { int32, int64, float32, boolean };

/// One tensor of a batch; the bytes belong to whoever allocated them.
struct Column {
  std::string name;
  ColumnType type;
  std::vector<int64_t> shape;
  std::span<std::byte> bytes;
};
using Columns = std::vector<Column>;

/// Memory for a column of this size; the trainer hands out pinned memory on a GPU.
using ColumnAllocator = std::function<std::span<std::byte>(const std::string& name, size_t bytes)>;

struct BatchingOptions {
  int64_t batch = 64;   // sequences in a batch
  bool shuffle = true;  // order of an epoch, by Philox from (seed, epoch)
  bool buckets =
      true;  // batches of like length: sort within windows of 50 batches, then shuffle the batches
};

/// Tokens of each sequence.
std::vector<uint32_t> lengths_of(const TokenSequences& sequences);

/// The batches of one epoch, as indices of sequences: a pure function of its arguments, so that a
/// resume needs only (epoch, cursor). Every sequence stands in exactly one batch; the last may be
/// smaller.
std::vector<std::vector<uint32_t>> epoch_batches(const TokenSequences& sequences,
                                                 const BatchingOptions& options, uint64_t seed,
                                                 int64_t epoch);
/// The same of sequences of which only the lengths are known.
std::vector<std::vector<uint32_t>> epoch_batches(std::span<const uint32_t> lengths,
                                                 const BatchingOptions& options, uint64_t seed,
                                                 int64_t epoch);

/// Batches of like length, of at most `max_tokens` with their padding: sequences sorted by length,
/// equal ones and the batches themselves in an order drawn for the epoch where `shuffle`. A longer
/// sequence is a batch by itself. How many there are is the same in every epoch.
std::vector<std::vector<uint32_t>> token_batches(std::span<const uint32_t> lengths,
                                                 int64_t max_tokens, bool shuffle, uint64_t seed,
                                                 int64_t epoch);

/// How many batches that is.
inline int64_t num_batches(size_t sequences, const BatchingOptions& options) {
  return (static_cast<int64_t>(sequences) + options.batch - 1) / options.batch;
}

/// What an encoder reads: source_ids i64 [B,S] and source_keep bool [B,S]; S = the longest sequence.
Columns source_columns(const TokenSequences& sequences, std::span<const uint32_t> indices,
                       int32_t padding_id, const ColumnAllocator& allocate);

/// Next-token prediction: input_ids i64 [B,T] and targets i64 [B,T], targets -100 where there is
/// nothing to predict, lengths i64 [B]; T = longest sequence less one.
Columns language_model_columns(const TokenSequences& sequences, std::span<const uint32_t> indices,
                               int32_t padding_id, const ColumnAllocator& allocate);

/// What a position is to look at (syntax_hints.h): hints i64 [B,T] as input_ids of the same
/// sequences, kNoHint where no tree says, kNothingToHint behind each.
Columns hint_columns(const TokenSequences& hints, std::span<const uint32_t> indices,
                     const ColumnAllocator& allocate);

}  // namespace rethink
