#include "core/trial_state.h"

#include <fmt/format.h>

#include "core/error.h"

namespace rethink {
namespace {

template <typename Words>
std::vector<std::string> words_of(const Words& all) {
  std::vector<std::string> words;
  for (const auto one : all) words.emplace_back(to_text(one));
  return words;
}

template <typename Word, size_t N>
Word named(const std::string& text, const std::array<Word, N>& all, const char* what) {
  for (const Word one : all) {
    if (text == to_text(one)) return one;
  }
  const std::vector<std::string> words = words_of(all);
  throw ConfigError("unknown-name", fmt::format("unknown {} '{}'{}; known: {}", what, text,
                                                did_you_mean(text, words), joined(words)));
}

}  // namespace

const char* to_text(TrialState state) {
  constexpr std::array<const char*, kTrialStates.size()> kWords = {
      "waiting", "ready", "running", "done", "diverged", "failed", "cancelled", "blocked"};
  return kWords[static_cast<size_t>(state)];
}

TrialState trial_state_named(const std::string& text) {
  return named(text, kTrialStates, "state");
}

const std::vector<std::string>& trial_state_names() {
  static const std::vector<std::string> kNames = words_of(kTrialStates);
  return kNames;
}

bool has_result(TrialState state) {
  return state == TrialState::done || state == TrialState::diverged;
}

bool is_final(TrialState state) {
  return state != TrialState::waiting && state != TrialState::ready && state != TrialState::running;
}

bool is_recorded_in_folder(TrialState state) {
  return is_final(state) && state != TrialState::blocked;
}

NeedState need_state(TrialState of_need, bool may_diverge) {
  if (of_need == TrialState::done || (of_need == TrialState::diverged && may_diverge))
    return NeedState::met;
  return is_final(of_need) ? NeedState::lost : NeedState::open;
}

TrialState trial_state(const TrialFacts& facts, NeedState needs) {
  if (facts.recorded) return *facts.recorded;
  if (facts.given_up) return TrialState::cancelled;
  if (facts.has_worker) return TrialState::running;
  switch (needs) {
    case NeedState::lost:
      return TrialState::blocked;
    case NeedState::open:
      return TrialState::waiting;
    case NeedState::met:
      return TrialState::ready;
  }
  return TrialState::waiting;
}

const char* to_text(AttemptOutcome outcome) {
  constexpr std::array<const char*, kAttemptOutcomes.size()> kWords = {
      "done", "diverged", "failed", "oom", "killed", "timeout", "lost", "interrupted", "fenced"};
  return kWords[static_cast<size_t>(outcome)];
}

const std::vector<std::string>& attempt_outcome_names() {
  static const std::vector<std::string> kNames = words_of(kAttemptOutcomes);
  return kNames;
}

AttemptOutcome attempt_outcome_named(const std::string& text) {
  return named(text, kAttemptOutcomes, "outcome");
}

}  // namespace rethink
