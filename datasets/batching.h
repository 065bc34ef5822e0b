// Assigns sequences to batches, for an epoch or for a stream that is read at several positions at
// once; and batches as named columns in memory of the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "datasets/dataset.h"

namespace rethink {

enum class ColumnType { int64, boolean };

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

/// Adds columns, and hands out their memory, whose values are any.
class ColumnMaker {
 public:
  explicit ColumnMaker(const ColumnAllocator& allocate) : allocate_(allocate) {}

  std::span<int64_t> integers(const std::string& name, const std::vector<size_t>& shape);
  std::span<uint8_t> booleans(const std::string& name, const std::vector<size_t>& shape);
  Columns columns;

 private:
  std::span<std::byte> add(const std::string& name, ColumnType type,
                           const std::vector<size_t>& shape, size_t size);

  const ColumnAllocator& allocate_;
};

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

/// Target of a position that predicts nothing.
inline constexpr int64_t kNothingToPredict = -100;

/// Next-token prediction: input_ids i64 [B,T] and targets i64 [B,T], kNothingToPredict behind each
/// sequence; T = longest sequence less one.
Columns language_model_columns(const TokenSequences& sequences, std::span<const uint32_t> indices,
                               int32_t padding_id, const ColumnAllocator& allocate);

/// Of a position: no tree says what to look at; nothing is predicted there; what is predicted has no
/// characters (the end symbol), so that no tree can say it.
inline constexpr int32_t kNoHint = -1, kNothingToHint = -2, kNoCharacters = -3;

/// What a position is to look at (datasets/text/syntax_hints.h): hints i64 [B,T] as input_ids of the
/// same sequences, kNoHint where no tree says, kNothingToHint behind each.
Columns hint_columns(const TokenSequences& hints, std::span<const uint32_t> indices,
                     const ColumnAllocator& allocate);

/// The batches of one pass over a stream of `segments`, as indices of these. The stream is cut into
/// `lanes` contiguous parts, whose lengths differ by one at most, and row r of a batch is the segment
/// behind row r of the batch before it. Every segment stands in exactly one batch; the last one may
/// have fewer rows, the first ones of the others.
std::vector<std::vector<uint32_t>> lane_batches(size_t segments, int64_t lanes);

}  // namespace rethink
