// Training batches in order, prepared ahead by one background thread, so that a step never waits
// for data.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "experiments/train/task.h"

namespace rethink {

/// A position in the training data, from which a resume continues.
struct DataPosition {
  int64_t epoch = 0;   // from 0
  int64_t cursor = 0;  // batches of the epoch already used
};

class BatchStream {
 public:
  struct Item {
    Batch batch;
    DataPosition after;  // position after this batch
    bool ends_epoch = false;
    int64_t batches = 1;  // batches that are joined in this one
    uint32_t first = 0;   // index of its first training example
  };

  /// Starts at `start`, the beginning of a step. Prepares as many batches ahead as a step takes, at
  /// least two. Joins up to `joined` batches of a step into one if they belong to one epoch and
  /// have similar lengths. `task` must outlive the stream.
  BatchStream(const Task& task, DataPosition start, int64_t batches_of_step = 1,
              int64_t joined = 1);
  ~BatchStream();

  /// Returns the next batch; after the last batch of an epoch, the first of the next. Throws what preparing it threw.
  Item next();

 private:
  static constexpr size_t kFewestAhead = 2;
  /// Largest size of a joined batch, as a multiple of the tokens of the separate batches: the rest is padding.
  static constexpr double kMostJoinedTokens = 1.25;
  void produce(std::stop_token stop, DataPosition position);
  /// Appends as many of `batches` to `indices` as one pass may take, at least the first, and returns their number.
  int64_t join(std::span<const std::vector<uint32_t>> batches,
               std::vector<uint32_t>& indices) const;
  bool push(std::stop_token stop, Item item);

  const Task& task_;
  const int64_t batches_of_step_, joined_;
  const size_t ahead_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Item> ready_;
  std::exception_ptr failure_;
  std::jthread producer_;  // last, since it uses the others
};

}  // namespace rethink
