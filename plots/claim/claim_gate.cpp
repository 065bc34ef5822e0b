#include "plots/claim/claim_gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/files/hash.h"
#include "core/message.h"
#include "plots/claim/claim_cells.h"
#include "plots/claim/claim_pairs.h"
#include "plots/claim/claim_text.h"
#include "plots/table/cells/paired_samples.h"

namespace rethink {
namespace {

constexpr double kGateLevel = 1 - kAlpha;

/// One column of a gate's table.
struct Pilot {
  const Table& table;
  size_t column, row, than;

  const Cell& ours() const { return table.cells[row][column]; }
  const Cell& theirs() const { return table.cells[than][column]; }
  const std::string& of() const { return table.columns[column].label; }
  const std::string& on() const { return table.rows[row].label; }
  const std::string& off() const { return table.rows[than].label; }
  size_t planned() const { return std::max(ours().planned(), theirs().planned()); }
};

/// The gate as a claim, for messages and for names of rows and columns.
ClaimSpec claim_of(const GateSpec& gate, const std::string& column, double margin) {
  ClaimSpec claim;
  claim.at = gate.at;
  claim.table = gate.table;
  claim.columns = {column};
  claim.row = {gate.row};
  claim.than = {gate.than};
  claim.margin = margin;
  return claim;
}

Pilot pilot_of(const ClaimSpec& claim, const Table& table) {
  return {table, find_column(claim, table, claim.columns.front()),
          find_row(claim, table, claim.row.front()), find_row(claim, table, claim.than.front())};
}

std::string trials_of_pilot(const ClaimSpec& claim, const Pilot& pilot) {
  std::string lines = pilot.table.columns[pilot.column].value + " " +
                      to_text(claim_direction(claim, pilot.table, pilot.column)) + "\n";
  for (const Cell* cell : {&pilot.ours(), &pilot.theirs()}) {
    std::vector<std::string> trials = cell->trials;
    std::ranges::sort(trials);
    lines += joined(trials) + "\n";
  }
  return sha256_hex(lines);
}

/// The numbers of a pilot, or the reason why it has none.
struct Measured {
  std::optional<GateNumbers> numbers;
  GateResult waits;
};

/// Diverged seeds cannot be paired, and the remaining seeds are biased.
std::string diverged_in_pilot(const Pilot& pilot) {
  const std::set<int64_t>& planned = pilot.ours().planned_seeds;
  const std::vector<int64_t> seeds(planned.begin(), planned.end());
  std::vector<std::string> texts = {diverged_text(pilot.ours(), "'" + pilot.on() + "'", seeds),
                                    diverged_text(pilot.theirs(), "'" + pilot.off() + "'", seeds)};
  std::erase(texts, "");
  return joined(texts, ", ");
}

GateResult without_values(const Pilot& pilot, size_t with_values) {
  GateResult waits{GateState::waits,
                   fmt::format("its gate waits: {} of {} in table {} {} values of both rows",
                               with_values, counted(pilot.ours().planned(), "seed"),
                               pilot.table.name, with_values == 1 ? "has" : "have"),
                   "the pilot of its gate", pilot.ours().waits() || pilot.theirs().waits()};
  waits.lacks_data = pilot.ours().lacks;
  waits.lacks_data.insert(pilot.theirs().lacks.begin(), pilot.theirs().lacks.end());
  const std::string diverged = diverged_in_pilot(pilot);
  if (diverged.empty()) return waits;
  waits.why += "; " + diverged;
  waits.needs = "a pilot of which no seed diverges";
  return waits;
}

Measured measure(const ClaimSpec& claim, const Pilot& pilot, const ItemGains* items) {
  const PairedSamples pairs = pair_samples(pilot.ours(), pilot.theirs());
  if (pairs.a.size() < 2 || pairs.a.size() < pilot.planned())
    return {std::nullopt, without_values(pilot, pairs.a.size())};
  const bool less_is_better = claim_direction(claim, pilot.table, pilot.column) == Direction::min;
  const std::vector<double> gains = pairs.gains(less_is_better ? -1 : 1);
  GateNumbers numbers{.gain = mean(gains)};
  if (!vary(std::array{0.0, numbers.gain}, pairs.size())) numbers.gain = 0;
  if (const auto judgement = judge_gains(gains, pairs.size(), {}, 1 - kGateLevel))
    numbers.interval = judgement->interval;
  if (items && !less_is_better) {
    const ItemGains::ConstantScore constant = items->constant_score(pilot.row, pilot.column);
    if (!constant.problem.empty()) {
      return {std::nullopt,
              {GateState::waits,
               fmt::format("its gate waits on {}: what one answer for all items has is not known: "
                           "{}",
                           pilot.of(), constant.problem),
               "predictions of its pilot"}};
    }
    numbers.constant = constant.value;
    if (constant.value) numbers.score = pilot.ours().value;
  }
  return {numbers, {}};
}

bool is_at_chance(const GateNumbers& numbers) {
  return numbers.constant && *numbers.score <= *numbers.constant;
}

/// Judges the numbers: whether the gate passed, and only the numbers, "on CoLA by 0.18 (95%
/// interval ...)".
GateResult judge_numbers(const ClaimSpec& claim, const Pilot& pilot, const GateNumbers& numbers) {
  const GateState state = state_of(numbers, claim.margin);
  const std::string &of = pilot.of(), &on = pilot.on(), &off = pilot.off();
  if (is_at_chance(numbers)) {
    return {state, fmt::format("its gate is closed on {}: '{}' has {:.4g}, and one answer for all "
                               "items {:.4g}",
                               of, on, *numbers.score, *numbers.constant)};
  }
  if (!numbers.interval) {
    const std::string seeds = counted(pilot.planned(), "seed");
    if (state == GateState::closed) {
      return {state, fmt::format("its gate is closed on {}: '{}' is not better than '{}' in any of "
                                 "{}, by {:.3g} in each",
                                 of, on, off, seeds, numbers.gain)};
    }
    return {state,
            fmt::format("its gate waits on {}: '{}' is apart from '{}' by {:.3g} in each of {}, "
                        "which gives no interval",
                        of, on, off, numbers.gain, seeds),
            "a pilot of seeds that differ"};
  }
  const std::string interval = interval_text(claim, *numbers.interval, kGateLevel);
  if (state == GateState::passed)
    return {state, fmt::format("on {} by {:.3g} ({})", of, numbers.gain, interval)};
  std::string why = fmt::format(
      "its gate is closed on {}: '{}' is {} than '{}' by {:.3g} ({} of the difference)", of, on,
      numbers.gain > 0 ? "better" : "worse", off, std::abs(numbers.gain), interval);
  if (claim.margin > 0)
    why += fmt::format(", not clearly more than the claim's margin of {:.4g}", claim.margin);
  return {state, why};
}

/// A remark if the recorded decision would differ today, or rests on other trials.
std::string changed_since(const ClaimSpec& claim, const Pilot& pilot, const RecordedGate& recorded,
                          const Measured& today, const std::string& trials) {
  const std::string stands =
      fmt::format("its gate of {} stays valid on {}", recorded.day, pilot.of());
  if (!today.numbers) return stands + ": values behind it are missing by now";
  if (trials != recorded.trials)
    return stands + " of other trials: the table, its sweep or the profile has changed";
  const GateState then = state_of(recorded.numbers, claim.margin),
                  now = state_of(*today.numbers, claim.margin);
  if (now != then)
    return fmt::format("{}; by the numbers of today it {}", stands,
                       now == GateState::waits ? "waits" : fmt::format("is {}", to_text(now)));
  const double was = recorded.numbers.gain, is = today.numbers->gain;
  if (!vary(std::array{was, is}, std::max(std::abs(was), std::abs(is)))) return "";
  return fmt::format("{}; by the numbers of today the difference is {:.3g}, not {:.3g}", stands, is,
                     was);
}

GateResult pass_column(const ClaimSpec& claim, const Table& table, const ItemGains* items,
                       const RecordedGate* recorded) {
  const Pilot pilot = pilot_of(claim, table);
  const Measured today = measure(claim, pilot, items);
  if (!recorded && !today.numbers) return today.waits;
  const std::string trials = trials_of_pilot(claim, pilot);
  const GateNumbers& numbers = recorded ? recorded->numbers : *today.numbers;
  GateResult result = judge_numbers(claim, pilot, numbers);
  if (result.state != GateState::waits)
    result.columns = {{claim.columns.front(), numbers, trials, result.why}};
  if (!recorded) return result;
  const std::string changed = changed_since(claim, pilot, *recorded, today, trials);
  if (!changed.empty()) result.remarks.push_back(changed);
  return result;
}

}  // namespace

const char* to_text(GateState state) {
  switch (state) {
    case GateState::passed:
      return "passed";
    case GateState::closed:
      return "closed";
    case GateState::waits:
      return "waits";
  }
  return "";
}

GateState state_of(const GateNumbers& numbers, double margin) {
  if (is_at_chance(numbers)) return GateState::closed;
  if (!numbers.interval) return numbers.gain <= 0 ? GateState::closed : GateState::waits;
  return numbers.interval->low > margin ? GateState::passed : GateState::closed;
}

GateResult pass_gate(const GateSpec& gate, const Table& table, const ItemGains* items,
                     const std::vector<std::string>& columns, double margin,
                     const std::map<std::string, RecordedGate>& recorded) {
  GateResult all{GateState::passed};
  std::vector<std::string> passed;
  for (const std::string& column : columns) {
    const auto stands = recorded.find(column);
    GateResult one = pass_column(claim_of(gate, column, margin), table, items,
                                 stands == recorded.end() ? nullptr : &stands->second);
    all.columns.insert(all.columns.end(), one.columns.begin(), one.columns.end());
    all.remarks.insert(all.remarks.end(), one.remarks.begin(), one.remarks.end());
    if (one.state == GateState::passed) passed.push_back(one.why);
    if (one.state == GateState::passed || all.state == GateState::closed) continue;
    all.state = one.state;
    all.why = one.why;
    all.needs = one.needs;
    all.runs = all.runs || one.runs;
    all.lacks_data.insert(one.lacks_data.begin(), one.lacks_data.end());
  }
  if (all.state == GateState::passed)
    all.why = fmt::format("its gate is passed: '{}' is better than '{}' {}", gate.row, gate.than,
                          joined(passed));
  return all;
}

size_t pilot_seeds(const GateSpec& gate, const Table& table, const std::string& column) {
  return pilot_of(claim_of(gate, column, 0), table).planned();
}

}  // namespace rethink
