// The states of a trial, the outcomes of its attempts, and their names in files, in the database
// and in messages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rethink {

enum class TrialState {
  waiting,  // for a needed trial
  ready,    // to run
  running,
  done,       // with a result
  diverged,   // with a result; the loss became NaN or grew without bound
  failed,     // its retries are used up
  cancelled,  // no sweep wants it any more
  blocked     // a needed trial can never provide what this trial needs
};
inline constexpr std::array kTrialStates = {
    TrialState::waiting,  TrialState::ready,  TrialState::running,   TrialState::done,
    TrialState::diverged, TrialState::failed, TrialState::cancelled, TrialState::blocked};

const char* to_text(TrialState state);
/// Throws ConfigError, which lists the known words, for an unknown `text`.
TrialState trial_state_named(const std::string& text);
/// The words of kTrialStates.
const std::vector<std::string>& trial_state_names();

/// Whether a trial in `state` has ended with a result.json.
bool has_result(TrialState state);
/// Returns whether no attempt follows, unless a user requests it.
bool is_final(TrialState state);
/// Returns whether a trial's folder shows that the state is final: done, diverged, failed or
/// cancelled. Blocked follows from the needed trials.
bool is_recorded_in_folder(TrialState state);

/// Use of a needed trial by the trial that needs it.
enum class NeedState {
  met,   // this need lets the trial begin
  open,  // the trial must wait
  lost   // the trial can never begin, unless the needed trial is run again
};
/// With `may_diverge` the needed trial only has to end, as the candidates of a select do.
NeedState need_state(TrialState of_need, bool may_diverge);

/// Known facts about a trial, without other trials.
struct TrialFacts {
  std::optional<TrialState>
      recorded{};           // from its folder (is_recorded_in_folder), or running, from its driver
  bool given_up = false;    // no sweep wants it any more
  bool has_worker = false;  // whether a worker runs it without a driver
};
/// Returns the state of a trial. The database's view `trial` has the same rule in SQL. `needs` is
/// the worst state of its needed trials: lost before open before met.
TrialState trial_state(const TrialFacts& facts, NeedState needs);

/// How many trials, by state.
using TrialCounts = std::map<TrialState, int64_t>;

/// How an attempt ended; the trial's state follows from it and from the retry rules
/// (experiments/run/board.h).
enum class AttemptOutcome {
  done,
  diverged,
  failed,
  oom,
  killed,
  timeout,
  lost,         // its process disappeared without a report
  interrupted,  // by its driver, as on Ctrl-C
  fenced        // another driver has the trial
};
inline constexpr std::array kAttemptOutcomes = {
    AttemptOutcome::done, AttemptOutcome::diverged,    AttemptOutcome::failed,
    AttemptOutcome::oom,  AttemptOutcome::killed,      AttemptOutcome::timeout,
    AttemptOutcome::lost, AttemptOutcome::interrupted, AttemptOutcome::fenced};

const char* to_text(AttemptOutcome outcome);
/// Throws ConfigError for an unknown outcome.
AttemptOutcome attempt_outcome_named(const std::string& text);
/// The words of kAttemptOutcomes.
const std::vector<std::string>& attempt_outcome_names();

}  // namespace rethink
