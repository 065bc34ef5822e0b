// Pieces of SQL that several queries share: quoting, stored words, a trial's reason, the tail of a
// curve.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/trial_state.h"

namespace rethink {

/// Return 'it''s' and "a.b", text and names as SQL quotes them.
std::string sql_text(const std::string& text);
std::string sql_name(const std::string& name);
/// Return the stored word as SQL quotes it. `cmake/house_rules.sh` refuses a word written by hand.
std::string sql_text(TrialState state);
std::string sql_text(AttemptOutcome outcome);
/// Return the stored words with commas between them, for IN (...).
std::string sql_list(const std::vector<TrialState>& states);
std::string sql_list(const std::vector<AttemptOutcome>& outcomes);
/// Returns the list of the states that `are` so, such as has_result, in the order of kTrialStates.
std::string sql_list(bool (*are)(TrialState));
/// Returns the path of a dotted configuration key for json_extract: '$."model"."layers"'.
std::string json_path(const std::string& key);

/// Returns SQL for the reason of the state of trial `t`: its message, or the last warning of a
/// diverged trial.
std::string reason_sql();

/// Returns SQL for the reason of the outcome of attempt `a`: its message, or the last warning of a
/// diverged attempt.
std::string attempt_reason_sql();

// The tail of a curve without a final value of its own: "train/loss@tail" is the mean of the points
// of train/loss from 0.9 of its greatest step on, a point at exactly 0.9 included. No row contains
// a tail; queries compute it.

inline constexpr std::string_view kTail = "@tail";

/// Returns "loss" for "loss@tail"; nothing for other names.
std::optional<std::string> curve_of_tail(const std::string& name);

/// Returns the SQL expression of a curve's tail, from expressions of the trial, the split and the
/// curve's name. It is NULL without a tail, and if a point of it is not finite.
std::string tail_sql(const std::string& trial, const std::string& split, const std::string& curve);

}  // namespace rethink
