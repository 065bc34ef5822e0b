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

/// One tensor of a batch. The allocator owns the bytes.
struct Column {
  std::string name;
  ColumnType type;
  std::vector<int64_t> shape;
  std::span<std::byte> bytes;
};
using Columns = std::vector<Column>;

/// Memory for a column of this size; the trainer hands out pinned memory on a GPU.
using ColumnAllocator = std::function<std::span<std::byte>(const std::string& name, size_t bytes)>;

/// Adds columns and returns their memory, with undefined values.
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

/// Returns the batches of one epoch as indices of sequences. It is a pure function of its
/// arguments, so that a resume needs only (epoch, cursor). Every sequence is in exactly one batch;
/// the last batch may be smaller.
std::vector<std::vector<uint32_t>> epoch_batches(const TokenSequences& sequences,
                                                 const BatchingOptions& options, uint64_t seed,
                                                 int64_t epoch);
/// Returns the same for sequences with known lengths only.
std::vector<std::vector<uint32_t>> epoch_batches(std::span<const uint32_t> lengths,
                                                 const BatchingOptions& options, uint64_t seed,
                                                 int64_t epoch);

/// Returns batches of similar lengths, with at most `max_tokens` tokens including padding.
/// Sequences are sorted by length; with `shuffle`, equal sequences and the batches are in an order
/// drawn for the epoch. A longer sequence is a batch of its own. The number of batches is the same
/// in every epoch.
std::vector<std::vector<uint32_t>> token_batches(std::span<const uint32_t> lengths,
                                                 int64_t max_tokens, bool shuffle, uint64_t seed,
                                                 int64_t epoch);

/// Returns the number of these batches.
inline int64_t num_batches(size_t sequences, const BatchingOptions& options) {
  return (static_cast<int64_t>(sequences) + options.batch - 1) / options.batch;
}

/// Returns the input of an encoder: source_ids i64 [B,S] and source_keep bool [B,S]; S = the
/// longest sequence.
Columns source_columns(const TokenSequences& sequences, std::span<const uint32_t> indices,
                       int32_t padding_id, const ColumnAllocator& allocate);

/// Target of a position without a prediction.
inline constexpr int64_t kNothingToPredict = -100;

/// Returns the columns of next-token prediction: input_ids i64 [B,T] and targets i64 [B,T],
/// kNothingToPredict behind each sequence; T = longest sequence minus one.
Columns language_model_columns(const TokenSequences& sequences, std::span<const uint32_t> indices,
                               int32_t padding_id, const ColumnAllocator& allocate);

/// Special values of a position, in this order: no dependency tree gives a hint; the position predicts no token; the
/// predicted token has no characters (the end symbol), so that no tree can give a hint.
inline constexpr int32_t kNoHint = -1, kNothingToHint = -2, kNoCharacters = -3;

/// Returns the hints of positions (datasets/text/syntax_hints.h): hints i64 [B,T] for the input_ids
/// of the same sequences, kNoHint without a tree, kNothingToHint behind each sequence.
Columns hint_columns(const TokenSequences& hints, std::span<const uint32_t> indices,
                     const ColumnAllocator& allocate);

/// Returns the batches of one pass over a stream of `segments`, as indices of segments. The stream
/// is cut into `lanes` contiguous parts whose lengths differ by at most one. Row r of a batch is
/// the segment behind row r of the previous batch. Every segment is in exactly one batch. The last
/// batch may have fewer rows, the first rows of the others.
std::vector<std::vector<uint32_t>> lane_batches(size_t segments, int64_t lanes);

}  // namespace rethink
