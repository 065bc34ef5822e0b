#include "experiments/train/batches/batch_stream.h"

#include <algorithm>

namespace rethink {

BatchStream::BatchStream(const Task& task, DataPosition start, int64_t batches_of_step,
                         int64_t joined)
    : task_(task),
      batches_of_step_(batches_of_step),
      joined_(joined),
      ahead_(std::max(kFewestAhead, static_cast<size_t>(batches_of_step))),
      producer_([this, start](std::stop_token stop) { produce(stop, start); }) {}

BatchStream::~BatchStream() = default;  // joins the producer, which waits with its stop token

BatchStream::Item BatchStream::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !ready_.empty() || failure_; });
  if (ready_.empty()) std::rethrow_exception(failure_);
  Item item = std::move(ready_.front());
  ready_.pop_front();
  changed_.notify_all();
  return item;
}

bool BatchStream::push(std::stop_token stop, Item item) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait(lock, stop, [&] { return ready_.size() < ahead_; })) return false;
  ready_.push_back(std::move(item));
  changed_.notify_all();
  return true;
}

int64_t BatchStream::join(std::span<const std::vector<uint32_t>> batches,
                          std::vector<uint32_t>& indices) const {
  indices = batches.front();
  if (batches.size() == 1) return 1;
  int64_t joined = 1, separate_tokens = task_.padded_tokens(indices);
  for (const std::vector<uint32_t>& batch : batches.subspan(1)) {
    std::vector<uint32_t> more = indices;
    more.insert(more.end(), batch.begin(), batch.end());
    separate_tokens += task_.padded_tokens(batch);
    const auto most = kMostJoinedTokens * static_cast<double>(separate_tokens);
    if (static_cast<double>(task_.padded_tokens(more)) > most) break;
    indices = std::move(more);
    ++joined;
  }
  return joined;
}

void BatchStream::produce(std::stop_token stop, DataPosition position) {
  try {
    int64_t of_step = 0;  // ready batches of the present step
    while (true) {
      const auto batches = task_.epoch_batches(position.epoch);
      const auto count = static_cast<int64_t>(batches.size());
      while (position.cursor < count) {
        Item item;
        const int64_t most =
            std::min({joined_, batches_of_step_ - of_step, count - position.cursor});
        std::vector<uint32_t> indices;
        item.batches = join(std::span(batches).subspan(static_cast<size_t>(position.cursor),
                                                       static_cast<size_t>(most)),
                            indices);
        item.first = indices.front();
        item.batch = task_.batch(indices);
        position.cursor += item.batches;
        of_step = (of_step + item.batches) % batches_of_step_;
        item.ends_epoch = position.cursor == count;
        item.after = item.ends_epoch ? DataPosition{position.epoch + 1, 0} : position;
        if (!push(stop, std::move(item))) return;
      }
      position = {position.epoch + 1, 0};
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    changed_.notify_all();
  }
}

}  // namespace rethink
