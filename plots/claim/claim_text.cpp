#include "plots/claim/claim_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "plots/claim/claim_cells.h"
#include "plots/text_format.h"

namespace rethink {
namespace {

constexpr size_t kNamedRows = 3;
constexpr int64_t kMostClaimDecimals = 12;

/// The decimals that show this number of significant digits of `value`. Requires a value other than
/// 0.
int64_t decimals_for(double value, int64_t digits) {
  constexpr double kRounding = 1e-9;  // so that a computed 0.1 is not shown as 0.0999...
  const auto first = static_cast<int64_t>(std::floor(std::log10(std::abs(value)) + kRounding));
  return std::clamp<int64_t>(digits - 1 - first, 0, kMostClaimDecimals);
}

/// The decimals for two digits of the difference, and for a third if the deviation's first two
/// digits reach so far. A difference that is much smaller than the deviation adds no digits.
int64_t measured_decimals(double gain, double deviation) {
  constexpr int64_t kBeyondDeviation = 2;
  const int64_t of_deviation = decimals_for(deviation, 2), two = decimals_for(gain, 2);
  if (two > of_deviation + kBeyondDeviation) return of_deviation;
  return std::max(two, std::min(decimals_for(gain, 3), of_deviation));
}

/// The given number of decimals, or a few more: the fewest with which the shown difference equals
/// the difference of both shown numbers.
int64_t decimals_that_agree(const Comparison& comparison, int64_t decimals) {
  constexpr int64_t kMostMore = 3;
  for (int64_t more = 0; more <= kMostMore; ++more) {
    const double unit = std::pow(10, static_cast<double>(decimals + more));
    const auto in_units = [&](double number) { return std::round(number * unit); };
    const double shown = std::abs(in_units(comparison.row) - in_units(comparison.than));
    if (shown == in_units(std::abs(comparison.gain))) return decimals + more;
  }
  return decimals;
}

int64_t decimals_of(const Comparison& comparison) {
  const bool varies = comparison.deviation > 0;
  const double shown = comparison.gain == 0 ? comparison.row : comparison.gain;
  int64_t decimals = shown == 0 ? 0 : decimals_for(shown, 3);
  if (varies)
    return decimals_that_agree(comparison, measured_decimals(shown, comparison.deviation));
  // Only the numbers themselves can show which of their digits are significant.
  const auto last_digits_are_0 = [&] {
    return std::ranges::all_of(
        std::array{shown, comparison.row, comparison.than},
        [&](double number) { return fixed(number, decimals).ends_with('0'); });
  };
  while (decimals > 0 && last_digits_are_0()) --decimals;
  return decimals;
}

/// A value that is too small for these decimals is not shown as 0.
std::string to_place(double value, int64_t decimals) {
  const std::string text = fixed(value, decimals);
  const bool is_lost = value != 0 && text.find_first_not_of("0.") == std::string::npos;
  return is_lost ? fmt::format("{:.1g}", value) : text;
}

std::string row_names(const ClaimSpec& claim, const Table& table,
                      const std::vector<std::string>& rows) {
  if (rows.size() > kNamedRows) return fmt::format("mean of {} rows", rows.size());
  std::vector<std::string> quoted;
  for (const std::string& row : rows)
    quoted.push_back("'" + table.rows[find_row(claim, table, row)].label + "'");
  return (rows.size() > 1 ? "mean of " : "") + joined(quoted, " and ");
}

Comparison in_unit(Comparison comparison, const ClaimUnit& unit) {
  for (double* number : {&comparison.row, &comparison.than})
    *number = (*number - unit.less) * unit.times;
  comparison.gain *= unit.times;
  comparison.smallest *= unit.times;
  comparison.deviation *= unit.times;
  if (comparison.interval) {
    comparison.interval->low *= unit.times;
    comparison.interval->high *= unit.times;
  }
  return comparison;
}

/// "97.5% interval".
std::string interval_name(double level) {
  return fmt::format("{:.4g}% interval", 100 * level);
}

}  // namespace

std::string interval_text(const ClaimSpec& claim, const Interval& interval, double level) {
  const double times = claim.unit ? claim.unit->times : 1;
  return fmt::format("{} {:.3g} to {:.3g}", interval_name(level), interval.low * times,
                     interval.high * times);
}

SideNames side_names(const ClaimSpec& claim, const Table& table, size_t column,
                     size_t than_column) {
  const SideNames rows{
      row_names(claim, table, claim.row),
      claim.than_value ? "the claim's number" : row_names(claim, table, claim.than)};
  if (column == than_column) return rows;
  const SideNames columns{"'" + table.columns[column].label + "'",
                          "'" + table.columns[than_column].label + "'"};
  if (claim.row == claim.than) return columns;
  return {columns.row + " of " + rows.row, columns.than + " of " + rows.than};
}

std::string comparison_text(const ClaimSpec& claim, const std::optional<SideNames>& names,
                            const Comparison& comparison) {
  const ClaimUnit unit = claim.unit.value_or(ClaimUnit());
  const Comparison shown = in_unit(comparison, unit);
  const int64_t decimals = decimals_of(shown);
  const std::string row = to_place(shown.row, decimals), than = to_place(shown.than, decimals);
  std::string text = claim.unit ? fmt::format("in {}: ", unit.name) : "";
  text += names ? fmt::format("{} {}, {} {}: ", names->row, row, names->than, than)
                : fmt::format("{} against {}: ", row, than);
  text += claim.test->relation(shown.gain, to_place(std::abs(shown.gain), decimals),
                               claim.margin * unit.times);
  if (!shown.interval) return text;
  text += fmt::format(" ({} {} to {}, p {:.2g}, alpha {:.3g}, sd {:.2g} over {}",
                      interval_name(shown.level), to_place(shown.interval->low, decimals),
                      to_place(shown.interval->high, decimals), shown.p, shown.alpha,
                      shown.deviation, shown.over);
  if (shown.smallest > 0) text += fmt::format("; smallest effect {:.3g}", shown.smallest);
  return text + ")";
}

}  // namespace rethink
