// An attempt's events.jsonl: one line per event, in order. Only the attempt writes it; the driver
// reads it while it grows (core/store_files/event.h has the format of a line).
//
//   {"event":"start","trial":"<id>","attempt":2,"resume_step":400,...}   always the first; without
//                                                            "drops_later", rows above the step are
//                                                            dropped
//    ... "begun":false                                       nothing is dropped: a second start
//                                                            follows, unless the attempt ends before
//    ... "rests_on":{"attempt":1,"offset":5120,"drops_later":true}   where in the events its
//                                                            checkpoint is; later events do not count
//    ... "damaged":[500]                                     checkpoints that were passed over
//   {"event":"metric","split":"dev","name":"mcc","step":500,"value":0.5}    bit-equal on a repeat
//   {"event":"measurement","name":"steps_per_s","step":500,"value":12.5}   timings, rates, memory
//   {"event":"tick","step":512,"of":2000,"loss":4.1,"steps_per_s":12.5}  at least every 10 s; 0
//                                                            steps/s during an evaluation
//   {"event":"environment","attention":"library"}           a fact known only after the start
//   {"event":"checkpoint","step":500} {"event":"artifact",...} {"event":"selected",...}
//   {"event":"message","level":"warning","text":"..."}
//   {"event":"end","outcome":"failed","message":"...","error":"missing-data"}
//                                                            the last, if the attempt ended by itself
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/files/file.h"
#include "core/json.h"
#include "core/store_files/event.h"

namespace rethink {

class EventLog {
 public:
  /// Creates the file. Throws MachineError when it cannot be written.
  explicit EventLog(const std::filesystem::path& path);

  /// Writes a metric of the trial. A repeated (split, name, step) replaces the value. NaN and
  /// infinity are written as text.
  void metric(const std::string& split, const std::string& name, int64_t step, double value);
  /// Writes a number about the run itself: seconds, bytes, rates.
  void measurement(const std::string& name, int64_t step, double value);
  /// Records progress. It is cheap to call at every step, and writes if `every_s` seconds have
  /// passed since the last. `loss` is the newest loss; nothing before the first.
  void tick(int64_t step, int64_t of, std::optional<double> loss, double every_s = 2.0);
  /// Records progress within a long step: it repeats the rate of earlier steps and does not disturb
  /// the next measurement.
  void tick_within_step(int64_t step, int64_t of, std::optional<double> loss, double every_s = 2.0);
  /// Excludes the time since the last tick from the rate, since it was not training. The rate is
  /// measured from the next tick on, which is written at once and repeats the old rate.
  void restart_rate();
  void message(const std::string& level, const std::string& text);
  /// Writes any other event. Requires: `event` has the member "event". Throws MachineError (disk
  /// full); the file then has no part of the event, and later events may be written.
  void write(const Json& event);

  /// Announces the start event with `facts`, whose "attempt" is the attempt's number. start() writes it with a resume
  /// step. Without a call of start(), it is written with resume step 0 before the first event of training. Messages,
  /// peaks, times of the attempt, and an end other than `done` or `diverged` may come first. An attempt with only such
  /// events has not begun, and the rows of the attempt before it stay (version 0.1.0 drops them).
  void prepare_start(Json facts);
  /// Adds members to the announced start event: facts that a job finds out about its environment.
  /// Requires: the attempt has not begun.
  void add_start_facts(const Json& facts);
  /// Writes the announced start event; CheckpointFolder::newest calls it. Requires: the attempt has
  /// not begun, or `resume_step` is 0, since earlier events would be dropped.
  void start(int64_t resume_step);

  /// Durable when it returns: everything written so far, and the file in its folder. Throws
  /// MachineError (disk full).
  void sync();
  /// Returns the bytes written so far by the announced attempt.
  uint64_t offset() const { return offset_; }
  EventPlace place() const { return {attempt_, offset_}; }
  /// Returns "split/name": the value at the greatest step that this attempt wrote, as in the event.
  Json last_metrics() const;

 private:
  void write_start(const Json& beginning);
  void write_line(const Json& event);
  void drop_half_line();

  struct Last {
    int64_t step;
    Json value;
  };

  std::filesystem::path path_;
  FileDescriptor file_;
  std::optional<Json> announced_;  // the facts of an attempt that has not begun
  bool any_start_ = false;         // a start event is written
  bool begun_ = false;             // a start event with a resume step is written
  bool named_durably_ = false;     // the file's name is durable in its folder
  std::map<std::string, Last> last_;
  int64_t attempt_ = 0;
  uint64_t offset_ = 0;
  static constexpr double kNever_s = -1e300;
  double last_tick_s_ = kNever_s, last_within_step_s_ = kNever_s;
  int64_t last_tick_step_ = 0;
  std::optional<double> rate_;  // newest rate [steps/s]
};

}  // namespace rethink
