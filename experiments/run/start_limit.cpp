#include "experiments/run/start_limit.h"

#include <algorithm>

namespace rethink {
namespace {

constexpr double kFirstPause_s = 0.25, kLongestPause_s = 30;
constexpr double kFirstPatience_s = 60, kLongestPatience_s = 3600;

}  // namespace

void StartLimit::refuse(size_t running, double now_s) {
  const size_t most = std::max<size_t>(1, running);
  most_ = most_ == 0 ? most : std::min(most_, most);
  if (now_s < until_s_) {  // of the same wave of starts
    if (running == 0) alone_ = std::max<size_t>(1, alone_);
    return;
  }
  alone_ = running == 0 ? alone_ + 1 : 0;
  pause_s_ = pause_s_ == 0 ? kFirstPause_s : std::min(kLongestPause_s, 2 * pause_s_);
  until_s_ = now_s + pause_s_;
  patience_s_ = patience_s_ == 0 ? kFirstPatience_s : std::min(kLongestPatience_s, 2 * patience_s_);
  grows_s_ = now_s + patience_s_;
}

bool StartLimit::allows(size_t running, double now_s) {
  if (most_ == 0) return true;
  if (now_s < until_s_) return false;
  if (now_s >= grows_s_) {
    ++most_;
    grows_s_ = now_s + patience_s_;
  }
  return running < most_;
}

}  // namespace rethink
