// How many attempts may run at once, and when the next may start, on a machine that lends no more
// processes, threads or open files.
#pragma once

#include <cstddef>

namespace rethink {

class StartLimit {
 public:
  /// An attempt was refused what it needs, while `running` others went on. The next start waits: a
  /// quarter of a second, twice as long after each further refusal, half a minute at most.
  void refuse(size_t running, double now_s);
  /// An attempt ended in another way: what was lent to it is free again.
  void relax() { pause_s_ = 0, alone_ = 0; }
  /// Whether one more may start beside `running` others. From a minute after the last refusal on,
  /// and twice as late after each, one more is tried.
  bool allows(size_t running, double now_s);
  /// Refused so often, with nothing else running, that waiting does not help: after 16 seconds.
  bool is_hopeless() const { return alone_ >= kMostAlone; }
  /// At most so many at once; 0 = no limit was met.
  size_t most() const { return most_; }

 private:
  static constexpr size_t kMostAlone = 7;

  size_t most_ = 0;
  size_t alone_ = 0;  // refusals in a row with nothing else running
  double pause_s_ = 0, until_s_ = 0;
  double patience_s_ = 0, grows_s_ = 0;  // how long without a refusal until one more is tried
};

}  // namespace rethink
