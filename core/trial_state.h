// The states of a trial and how an attempt at one ends, with the words by which files, the database and people know
// them.
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
  waiting,  // for a trial that it needs
  ready,    // to run
  running,
  done,       // with a result
  diverged,   // with a result, and a loss that was no number or grew without bound
  failed,     // its retries are used up
  cancelled,  // no sweep wants it any more
  blocked     // a trial that it needs can never give what it needs
};
inline constexpr std::array kTrialStates = {
    TrialState::waiting,  TrialState::ready,  TrialState::running,   TrialState::done,
    TrialState::diverged, TrialState::failed, TrialState::cancelled, TrialState::blocked};

const char* to_text(TrialState state);
/// Throws ConfigError, with the words that there are, when `text` is none of them.
TrialState trial_state_named(const std::string& text);
/// The words of kTrialStates.
const std::vector<std::string>& trial_state_names();

/// Whether a trial in `state` has ended with a result.json.
bool has_result(TrialState state);
/// No attempt follows, unless somebody asks for it.
bool is_final(TrialState state);
/// Whether a trial's folder tells that it is final: done, diverged, failed or cancelled. Blocked follows from the
/// trials that it needs.
bool folder_says(TrialState state);

/// What a trial that needs another one may make of it.
enum class NeedState {
  met,   // it may begin, as far as this one goes
  open,  // it must wait
  lost   // it can never begin, unless somebody runs the other again
};
/// `may_diverge`: the need only has to end, as the candidates of a select do.
NeedState need_state(TrialState of_need, bool may_diverge);

/// What is known of a trial by itself.
struct TrialFacts {
  std::optional<TrialState> told{};  // by its folder (folder_says), or running: by its driver
  bool given_up = false;             // no sweep wants it any more
  bool has_worker = false;           // that goes on without a driver
};
/// The one rule of a trial's state; the database's view `trial` has it in SQL. `needs`: the worst of what it needs:
/// lost before open before met.
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
  lost,         // its process went away without a word
  interrupted,  // by its driver, as on Ctrl-C
  fenced        // another driver has the trial
};
inline constexpr std::array kAttemptOutcomes = {
    AttemptOutcome::done, AttemptOutcome::diverged,    AttemptOutcome::failed,
    AttemptOutcome::oom,  AttemptOutcome::killed,      AttemptOutcome::timeout,
    AttemptOutcome::lost, AttemptOutcome::interrupted, AttemptOutcome::fenced};

const char* to_text(AttemptOutcome outcome);
/// Throws ConfigError when there is no such outcome.
AttemptOutcome attempt_outcome_named(const std::string& text);
/// The words of kAttemptOutcomes.
const std::vector<std::string>& attempt_outcome_names();

}  // namespace rethink
