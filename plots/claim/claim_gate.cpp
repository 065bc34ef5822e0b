// The gate of claims about attention: where attention does nothing, no arm can be better at it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/counted.h"
#include "plots/claim/claim.h"
#include "plots/claim/claim_cells.h"
#include "plots/claim/claim_pairs.h"
#include "plots/claim/claim_text.h"
#include "plots/table/compare.h"

namespace rethink {
namespace {

GateResult pass_column(const ClaimSpec& spec, const Table& table, const ItemGains* items) {
  const size_t column = find_column(spec, table, spec.columns.front()),
               row = find_row(spec, table, spec.row.front()),
               than = find_row(spec, table, spec.than.front());
  const Cell &ours = table.cells[row][column], &theirs = table.cells[than][column];
  const PairedSamples pairs = pair_samples(ours, theirs);
  const std::string &of = table.columns[column].label, &off = table.rows[than].label,
                    &on = table.rows[row].label;
  if (pairs.a.size() < 2 || pairs.a.size() < std::max(ours.planned(), theirs.planned())) {
    return {GateState::waits,
            fmt::format("its gate waits: {} of {} in table {} {} values of both rows",
                        pairs.a.size(), counted(ours.planned(), "seed"), table.name,
                        pairs.a.size() == 1 ? "has" : "have")};
  }
  const double sign = claim_direction(spec, table, column) == "min" ? -1 : 1;
  const std::vector<double> gains = pairs.gains(sign);
  const std::optional<Judgement> judgement = judge_gains(gains, pairs.size(), {}, kAlpha);
  const double gain = mean(gains);
  const bool is_above = judgement ? judgement->interval->low > 0 : gain > 0;
  if (!is_above) {
    std::string text = fmt::format("its gate is closed on {}: '{}' is {} '{}' by {:.3g}", of, on,
                                   gain > 0 ? "above" : "below", off, std::abs(gain));
    if (judgement)
      text += fmt::format(" ({} of the difference)",
                          interval_text(spec, *judgement->interval, judgement->level));
    return {GateState::closed, text};
  }
  const std::optional<double> constant =
      items && sign > 0 ? items->constant_score(row, column) : std::nullopt;
  if (constant && *ours.value <= *constant) {
    return {GateState::closed,
            fmt::format("its gate is closed on {}: '{}' has {:.4g}, and one answer for all "
                        "items {:.4g}",
                        of, on, *ours.value, *constant)};
  }
  return {GateState::passed};
}

}  // namespace

GateResult pass_gate(const GateSpec& gate, const Table& table, const ItemGains* items,
                     const std::vector<std::string>& columns, const Position& at) {
  GateResult result{GateState::passed};
  for (const std::string& column : columns) {
    ClaimSpec spec;
    spec.at = at;
    spec.table = gate.table;
    spec.columns = {column};
    spec.row = {gate.row};
    spec.than = {gate.than};
    const GateResult one = pass_column(spec, table, items);
    if (one.state == GateState::closed) return one;
    if (one.state == GateState::waits) result = one;
  }
  return result;
}

}  // namespace rethink
