#include "experiments/run/attempts/attempt_history.h"

#include <algorithm>

#include "core/files/file.h"
#include "core/json.h"
#include "core/store_files/attempt_end.h"
#include "core/store_files/result_file.h"
#include "core/system/kill_point.h"
#include "experiments/attempt/trial_files.h"
#include "results/folders/stored_trial.h"

namespace rethink {
namespace {

void set_aside(const StoredJson& result, const TrialFolder& folder) {
  if (result.is_sound()) return run_again(folder);
  note_lost_result(folder);
  remove_damaged_result(folder);
}

}  // namespace

History history_of(const TrialFolder& folder) {
  History history;
  for (const int64_t number : folder.attempts()) {
    const std::optional<AttemptEnd> end = read_attempt_end(folder.attempt(number));
    if (!end) continue;
    history.seconds += end->seconds;
    history.charged.take(end->outcome, end->new_checkpoint, end->charged);
    if (end->forgiven) {
      const int64_t checkpoint_of = history.checkpoint_of;
      history = {};
      history.checkpoint_of = checkpoint_of;
    }
    if (end->new_checkpoint) {
      history.checkpoint_of = number;
      history.fruitless_s = 0;
    } else if (end->outcome == AttemptOutcome::interrupted && !end->forgiven) {
      history.fruitless_s = std::max(history.fruitless_s, end->seconds);
    }
  }
  return history;
}

bool was_set_aside(const TrialFolder& folder, int64_t attempt) {
  const std::optional<Json> old_result = sound_result(folder.old_result());
  return old_result && old_result->value("attempt", int64_t{0}) == attempt;
}

void note_lost_result(const TrialFolder& folder) {
  const std::vector<int64_t> attempts = folder.attempts();
  if (attempts.empty() || std::filesystem::exists(folder.end(attempts.back())) ||
      was_set_aside(folder, attempts.back()))
    return;
  AttemptEnd end;
  end.outcome = AttemptOutcome::lost;
  end.message = std::filesystem::exists(folder.result()) ? "its result.json was damaged"
                                                         : "its result.json was removed";
  write_attempt_end(folder.attempt(attempts.back()), end);
}

void set_result_aside(const TrialFolder& folder) {
  if (const auto result = proved_result(folder.result())) set_aside(*result, folder);
}

void forgive(const TrialFolder& folder) {
  if (!std::filesystem::exists(folder.path())) return;
  const auto result = proved_result(folder.result());
  if (result &&
      (!result->is_sound() || outcome_of_result(result->object) == AttemptOutcome::diverged ||
       !trial_events_are_whole(folder.path())))
    set_aside(*result, folder);
  const std::vector<int64_t> numbers = folder.attempts();
  if (!numbers.empty()) {
    std::optional<AttemptEnd> end = read_attempt_end(folder.attempt(numbers.back()));
    // The attempt reported itself that it diverged; retries counted before it must be forgiven,
    // too.
    if (!end && was_set_aside(folder, numbers.back()))
      end = AttemptEnd{.outcome = AttemptOutcome::diverged,
                       .message = to_text(AttemptOutcome::diverged)};
    if (end) {
      end->forgiven = true;
      write_attempt_end(folder.attempt(numbers.back()), *end);
    }
  }
  kill_point("before_state_cleared");
  clear_trial_state(folder.path());
}

}  // namespace rethink
