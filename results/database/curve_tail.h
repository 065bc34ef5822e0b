// The tail of a curve, which has no final value of its own: "train/loss@tail" is the mean of the
// points of train/loss from 0.9 of its greatest step on, a point at exactly 0.9 included. It stands in
// no row: it is made when asked for.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rethink {

inline constexpr std::string_view kTail = "@tail";

/// "loss" of "loss@tail"; none for other names.
std::optional<std::string> curve_of_tail(const std::string& name);

/// The SQL expression of a curve's tail, NULL where there is none or a point of it is not
/// finite, from expressions of the trial, the split and the curve's name.
std::string tail_sql(const std::string& trial, const std::string& split, const std::string& curve);

}  // namespace rethink
