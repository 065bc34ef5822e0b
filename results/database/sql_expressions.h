// Pieces of SQL that several queries share: quoting, a trial's counted state and reason, the tail
// of a curve.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rethink {

/// 'it''s' and "a.b" as SQL spells them.
std::string sql_text(const std::string& text);
std::string sql_name(const std::string& name);
/// The path of a dotted configuration key for json_extract: '$."model"."layers"'.
std::string json_path(const std::string& key);

/// SQL for the state as which row `t` of table trial counts in tables, curves and means: its own, or
/// `done` for a trial whose result was set aside because it runs again for its files, until the
/// repetition is done, and for good where that fails or is cancelled: one of its attempts is done, of
/// which all numbers are there. An attempt whose result or whose events are damaged is not done (ingest,
/// index_trial).
std::string counted_state_sql();

/// SQL for whether the repetition of such a trial ended without a result.
std::string has_kept_result_sql();

/// SQL for why trial `t` is in its state: its message; of one that diverged its last warning.
std::string reason_sql();

// The tail of a curve, which has no final value of its own: "train/loss@tail" is the mean of the
// points of train/loss from 0.9 of its greatest step on, a point at exactly 0.9 included. It stands in
// no row: it is made when asked for.

inline constexpr std::string_view kTail = "@tail";

/// "loss" of "loss@tail"; none for other names.
std::optional<std::string> curve_of_tail(const std::string& name);

/// The SQL expression of a curve's tail, NULL where there is none or a point of it is not
/// finite, from expressions of the trial, the split and the curve's name.
std::string tail_sql(const std::string& trial, const std::string& split, const std::string& curve);

}  // namespace rethink
