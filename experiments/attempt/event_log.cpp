#include "experiments/attempt/event_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "core/clock.h"
#include "core/error.h"
#include "core/json.h"
#include "core/system/log.h"
#include "experiments/attempt/attempt_request.h"

namespace rethink {
namespace {

/// JSON lacks NaN and infinity.
Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

/// Returns whether an attempt with this event has begun.
bool is_of_training(const Json& event) {
  const EventKind kind = event_kind(event);
  if (kind == EventKind::end) {
    const AttemptOutcome outcome = attempt_outcome_named(event.at("outcome"));
    return outcome == AttemptOutcome::done || outcome == AttemptOutcome::diverged;
  }
  if (kind != EventKind::measurement) return kind != EventKind::message;
  const std::string& name = event.at("name").get_ref<const std::string&>();
  return name != kAttemptSeconds && !name.starts_with(kPeakPrefix);
}

}  // namespace

EventLog::EventLog(const std::filesystem::path& path)
    : path_(path), file_(open_file(path, O_WRONLY | O_CREAT | O_EXCL)) {}

void EventLog::metric(const std::string& split, const std::string& name, int64_t step,
                      double value) {
  const Json shown = number(value);
  write({{"event", to_text(EventKind::metric)},
         {"split", split},
         {"name", name},
         {"step", step},
         {"value", shown}});
  const auto [last, added] = last_.try_emplace(split + "/" + name, Last{step, shown});
  if (!added && step >= last->second.step) last->second = {step, shown};
}

void EventLog::measurement(const std::string& name, int64_t step, double value) {
  write({{"event", to_text(EventKind::measurement)},
         {"name", name},
         {"step", step},
         {"value", number(value)}});
}

void EventLog::tick(int64_t step, int64_t of, std::optional<double> loss, double every_s) {
  const double now = monotonic_seconds(), passed = now - last_tick_s_;
  if (passed < every_s) return;
  Json event{{"event", to_text(EventKind::tick)}, {"step", step}, {"of", of}};
  if (loss) event["loss"] = number(*loss);
  const bool any_step = last_tick_s_ >= 0 && step != last_tick_step_;
  if (any_step) rate_ = static_cast<double>(step - last_tick_step_) / passed;
  if (last_tick_s_ >= 0 && !any_step) {
    event["steps_per_s"] = 0;
  } else if (rate_) {
    event["steps_per_s"] = number(*rate_);
  }
  last_tick_s_ = now;
  last_tick_step_ = step;
  write(event);
}

void EventLog::tick_within_step(int64_t step, int64_t of, std::optional<double> loss,
                                double every_s) {
  const double now = monotonic_seconds();
  if (now - std::max(last_tick_s_, last_within_step_s_) < every_s) return;
  Json event{{"event", to_text(EventKind::tick)}, {"step", step}, {"of", of}};
  if (loss) event["loss"] = number(*loss);
  if (rate_) event["steps_per_s"] = number(*rate_);
  last_within_step_s_ = now;
  write(event);
}

void EventLog::restart_rate() {
  last_tick_s_ = kNever_s;
}

void EventLog::message(const std::string& level, const std::string& text) {
  write({{"event", to_text(EventKind::message)}, {"level", level}, {"text", text}});
}

void EventLog::prepare_start(Json facts) {
  attempt_ = facts.value("attempt", attempt_);
  announced_ = std::move(facts);
}

void EventLog::add_start_facts(const Json& facts) {
  if (announced_) announced_->update(facts);
}

void EventLog::start(int64_t resume_step) {
  RETHINK_ASSERT(resume_step == 0 || !begun_,
                 fmt::format("{}: resume at {}", path_.string(), resume_step));
  if (!announced_) return;
  write_start({{"resume_step", resume_step}});
  announced_.reset();
  begun_ = true;
}

void EventLog::write(const Json& event) {
  RETHINK_ASSERT(event.is_object() && event.contains("event"), event.dump());
  if (announced_ && is_of_training(event)) {
    start(0);
  } else if (announced_ && !any_start_) {
    write_start({{"resume_step", 0}, {"begun", false}});
  }
  write_line(event);
}

void EventLog::write_start(const Json& beginning) {
  Json event = *announced_;
  event["event"] = to_text(EventKind::start);
  event.update(beginning);
  write_line(event);
  any_start_ = true;
}

void EventLog::write_line(const Json& event) {
  const std::string line = event_line(event);
  try {
    write_all(file_.get(), line, path_);
  } catch (const MachineError&) {
    drop_half_line();
    throw;
  }
  offset_ += line.size();
}

/// The next line must not follow a line that a full disk cut off. If the file cannot be truncated,
/// the next line overwrites it.
void EventLog::drop_half_line() {
  const auto end = static_cast<off_t>(offset_);
  if (ftruncate(file_.get(), end) != 0)
    log_warning(fmt::format("{}: cannot drop an unfinished line: {}", path_.string(),
                            std::strerror(errno)));
  lseek(file_.get(), end, SEEK_SET);
}

void EventLog::sync() {
  if (fdatasync(file_.get()) != 0) throw_file_error(path_, "cannot sync", errno);
  if (named_durably_) return;
  sync_folder(path_.parent_path());
  named_durably_ = true;
}

Json EventLog::last_metrics() const {
  Json all = Json::object();
  for (const auto& [name, last] : last_) all[name] = last.value;
  return all;
}

}  // namespace rethink
