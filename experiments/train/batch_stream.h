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

/// A place in the training data: what a resume needs.
struct DataPosition {
  int64_t epoch = 0;   // from 0
  int64_t cursor = 0;  // batches of the epoch already used
};

class BatchStream {
 public:
  struct Item {
    Batch batch;
    DataPosition after;  // this batch
    bool ends_epoch = false;
    int64_t batches = 1;  // that are joined in it
    uint32_t first = 0;   // training example
  };

  /// Starts at `start`, where a step begins; as many batches are prepared before anybody asks for them as a
  /// step takes, two at least. Up to `joined` batches of a step are made one, where they are of one epoch
  /// and of like length.
  /// `task` must live as long as the stream.
  BatchStream(const Task& task, DataPosition start, int64_t batches_of_step = 1,
              int64_t joined = 1);
  ~BatchStream();

  /// The next batch, of the next epoch when one is over. Throws what preparing it threw.
  Item next();

 private:
  static constexpr size_t kFewestAhead = 2;
  /// Of all tokens that separate batches have, what one that joins them may have: the rest is padding.
  static constexpr double kMostJoinedTokens = 1.25;
  void produce(std::stop_token stop, DataPosition position);
  /// Appends as many of `batches` to `indices` as one pass may take, the first always, and returns how many.
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
  std::jthread producer_;  // last: it uses the others
};

}  // namespace rethink
