#include "datasets/batching.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "datasets/philox_stream.h"

namespace rethink {
namespace {

// Two random streams per epoch, distinct from every other use of the seed: "batchseq" and
// "batchord" in ASCII.
constexpr uint64_t kSequenceOrder = 0x6261746368736571, kBatchOrder = 0x62617463686f7264;
constexpr size_t kWindow =
    50;  // batches sorted together; this saves most of the padding that a full sort would save

template <typename T>
void shuffle(std::vector<T>& values, PhiloxKey key) {
  PhiloxStream random(key);
  for (size_t left = values.size(); left > 1; --left)
    std::swap(values[left - 1], values[random.below(left)]);
}

}  // namespace

std::span<int64_t> ColumnMaker::integers(const std::string& name,
                                         const std::vector<size_t>& shape) {
  const auto bytes = add(name, ColumnType::int64, shape, sizeof(int64_t));
  return {reinterpret_cast<int64_t*>(bytes.data()), bytes.size() / sizeof(int64_t)};
}

std::span<uint8_t> ColumnMaker::booleans(const std::string& name,
                                         const std::vector<size_t>& shape) {
  const auto bytes = add(name, ColumnType::boolean, shape, 1);
  return {reinterpret_cast<uint8_t*>(bytes.data()), bytes.size()};
}

std::span<std::byte> ColumnMaker::add(const std::string& name, ColumnType type,
                                      const std::vector<size_t>& shape, size_t size) {
  for (const size_t dimension : shape) size *= dimension;
  columns.push_back({name, type, {shape.begin(), shape.end()}, allocate_(name, size)});
  const std::span<std::byte> memory = columns.back().bytes;
  RETHINK_ASSERT(memory.size() == size,
                 fmt::format("{}: got {} bytes, wanted {}", name, memory.size(), size));
  return memory;
}

std::vector<uint32_t> lengths_of(const TokenSequences& sequences) {
  std::vector<uint32_t> lengths;
  for (size_t index = 0; index < sequences.size(); ++index)
    lengths.push_back(static_cast<uint32_t>(sequences[index].size()));
  return lengths;
}

std::vector<std::vector<uint32_t>> epoch_batches(const TokenSequences& sequences,
                                                 const BatchingOptions& options, uint64_t seed,
                                                 int64_t epoch) {
  return epoch_batches(lengths_of(sequences), options, seed, epoch);
}

std::vector<std::vector<uint32_t>> epoch_batches(std::span<const uint32_t> lengths,
                                                 const BatchingOptions& options, uint64_t seed,
                                                 int64_t epoch) {
  RETHINK_ASSERT(options.batch > 0 && epoch >= 0,
                 fmt::format("batch {} epoch {}", options.batch, epoch));
  std::vector<uint32_t> order(lengths.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto epoch_number = static_cast<uint64_t>(epoch);
  if (options.shuffle) shuffle(order, {seed, kSequenceOrder + epoch_number});
  const auto batch = static_cast<size_t>(options.batch);
  if (options.buckets) {
    const auto shorter = [&](uint32_t a, uint32_t b) { return lengths[a] < lengths[b]; };
    for (size_t begin = 0; begin < order.size(); begin += kWindow * batch) {
      const size_t end = std::min(order.size(), begin + kWindow * batch);
      std::stable_sort(order.begin() + static_cast<ptrdiff_t>(begin),
                       order.begin() + static_cast<ptrdiff_t>(end), shorter);
    }
  }
  std::vector<std::vector<uint32_t>> batches;
  for (size_t begin = 0; begin < order.size(); begin += batch) {
    const size_t end = std::min(order.size(), begin + batch);
    batches.emplace_back(order.begin() + static_cast<ptrdiff_t>(begin),
                         order.begin() + static_cast<ptrdiff_t>(end));
  }
  if (options.shuffle && options.buckets) shuffle(batches, {seed, kBatchOrder + epoch_number});
  return batches;
}

std::vector<std::vector<uint32_t>> token_batches(std::span<const uint32_t> lengths,
                                                 int64_t max_tokens, bool shuffle, uint64_t seed,
                                                 int64_t epoch) {
  std::vector<uint32_t> order(lengths.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto epoch_number = static_cast<uint64_t>(epoch);
  if (shuffle) rethink::shuffle(order, {seed, kSequenceOrder + epoch_number});
  std::ranges::stable_sort(order, {}, [&](uint32_t index) { return lengths[index]; });
  std::vector<std::vector<uint32_t>> batches;
  for (const uint32_t index : order) {
    const bool fits = !batches.empty() && static_cast<int64_t>(batches.back().size() + 1) *
                                                  static_cast<int64_t>(lengths[index]) <=
                                              max_tokens;
    if (!fits) batches.emplace_back();
    batches.back().push_back(index);
  }
  if (shuffle) rethink::shuffle(batches, {seed, kBatchOrder + epoch_number});
  return batches;
}

Columns source_columns(const TokenSequences& sequences, std::span<const uint32_t> indices,
                       int32_t padding_id, const ColumnAllocator& allocate) {
  size_t width = 0;
  for (const uint32_t index : indices) width = std::max(width, sequences[index].size());
  ColumnMaker make(allocate);
  const auto ids = make.integers("source_ids", {indices.size(), width});
  const auto keep = make.booleans("source_keep", {indices.size(), width});
  std::ranges::fill(ids, padding_id);
  std::ranges::fill(keep, 0);
  for (size_t row = 0; row < indices.size(); ++row) {
    const auto sequence = sequences[indices[row]];
    for (size_t position = 0; position < sequence.size(); ++position) {
      ids[row * width + position] = sequence[position];
      keep[row * width + position] = 1;
    }
  }
  return make.columns;
}

Columns language_model_columns(const TokenSequences& sequences, std::span<const uint32_t> indices,
                               int32_t padding_id, const ColumnAllocator& allocate) {
  size_t longest = 1;
  for (const uint32_t index : indices) longest = std::max(longest, sequences[index].size());
  const size_t width = longest - 1;
  ColumnMaker make(allocate);
  const auto inputs = make.integers("input_ids", {indices.size(), width}),
             targets = make.integers("targets", {indices.size(), width});
  std::fill(inputs.begin(), inputs.end(), padding_id);
  std::fill(targets.begin(), targets.end(), kNothingToPredict);
  for (size_t row = 0; row < indices.size(); ++row) {
    const auto sequence = sequences[indices[row]];
    const size_t length = std::max<size_t>(sequence.size(), 1) - 1;
    for (size_t position = 0; position < length; ++position) {
      inputs[row * width + position] = sequence[position];
      targets[row * width + position] = sequence[position + 1];
    }
  }
  return make.columns;
}

Columns hint_columns(const TokenSequences& hints, std::span<const uint32_t> indices,
                     const ColumnAllocator& allocate) {
  size_t longest = 1;
  for (const uint32_t index : indices) longest = std::max(longest, hints[index].size());
  const size_t width = longest - 1;
  ColumnMaker make(allocate);
  const auto values = make.integers("hints", {indices.size(), width});
  std::ranges::fill(values, kNothingToHint);
  for (size_t row = 0; row < indices.size(); ++row) {
    const auto sequence = hints[indices[row]];
    for (size_t position = 0; position + 1 < sequence.size(); ++position) {
      const int32_t hint = sequence[position];
      values[row * width + position] = hint == kNoCharacters ? kNoHint : hint;
    }
  }
  return make.columns;
}

std::vector<std::vector<uint32_t>> lane_batches(size_t segments, int64_t lanes) {
  RETHINK_ASSERT(lanes > 0, "lanes of a stream");
  const size_t count = std::min(static_cast<size_t>(lanes), segments);
  if (count == 0) return {};
  const size_t least = segments / count, longer = segments % count;  // the first lanes
  std::vector<std::vector<uint32_t>> batches(least + (longer > 0 ? 1 : 0));
  size_t segment = 0;
  for (size_t lane = 0; lane < count; ++lane) {
    const size_t length = least + (lane < longer ? 1 : 0);
    for (size_t place = 0; place < length; ++place)
      batches[place].push_back(static_cast<uint32_t>(segment++));
  }
  return batches;
}

}  // namespace rethink
