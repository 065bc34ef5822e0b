#include "plots/claim/claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/files/hash.h"
#include "core/message.h"
#include "plots/claim/claim_cells.h"
#include "plots/claim/claim_pairs.h"
#include "plots/claim/claim_text.h"
#include "plots/claim/claim_trend.h"
#include "plots/table/lines/unlike_arms.h"
#include "plots/table/notes.h"

namespace rethink {
namespace {

/// The rows that the claim compares or orders.
std::set<size_t> rows_behind(const ClaimSpec& claim, const Table& table) {
  std::set<size_t> rows;
  for (const std::vector<std::string>* names : {&claim.row, &claim.than}) {
    for (const std::string& name : *names) rows.insert(find_row(claim, table, name));
  }
  if (rows.empty()) {
    for (size_t row = 0; row < table.rows.size(); ++row) rows.insert(rows.end(), row);
  }
  return rows;
}

/// The parts of a mean, or the column itself.
std::vector<size_t> parts_of(const Table& table, size_t column) {
  const std::vector<size_t>& parts = table.columns[column].parts;
  return parts.empty() ? std::vector{column} : parts;
}

/// The columns whose trials the claim uses: its own, the columns of `than` and not_below, and the
/// parts of a mean.
std::set<size_t> columns_with_trials(const ClaimSpec& claim, const Table& table, size_t column) {
  std::set<size_t> columns;
  std::vector<size_t> shown = {column, other_column(claim, table, column)};
  if (!claim.not_below.empty()) shown.push_back(find_column(claim, table, claim.not_below));
  for (const size_t one : shown) {
    const std::vector<size_t> parts = parts_of(table, one);
    columns.insert(parts.begin(), parts.end());
  }
  return columns;
}

/// A digest that changes if a table, a sweep or a profile selects other trials, or another measure,
/// under the same names.
std::string trials_behind(const ClaimSpec& claim, const Table& table, size_t column,
                          const std::vector<int64_t>& seeds) {
  std::string lines;
  for (const size_t part : columns_with_trials(claim, table, column)) {
    lines += table.columns[part].value + " " + to_text(claim_direction(claim, table, part)) + "\n";
    for (const size_t row : rows_behind(claim, table)) {
      const Cell& cell = table.cells[row][part];
      std::set<std::string> trials;
      for (size_t i = 0; i < cell.trials.size(); ++i) {
        if (std::ranges::count(seeds, cell.numbers[i].seed) > 0) trials.insert(cell.trials[i]);
      }
      lines += table.rows[row].label + ": " + joined({trials.begin(), trials.end()}) + "\n";
    }
  }
  return sha256_hex(lines);
}

/// Reports trials that began before the rules of their judgement were fixed: "looked at before the
/// plan: 4 of 10 trials began before 2026-11-28".
std::string early_trials_text(const ClaimSpec& claim, const Table& table, size_t column) {
  if (claim.fixed.empty()) return "";
  std::map<std::string, bool> early;  // by trial
  for (const size_t row : rows_behind(claim, table)) {
    for (const size_t part : columns_with_trials(claim, table, column)) {
      const Cell& cell = table.cells[row][part];
      for (size_t i = 0; i < cell.trials.size(); ++i) {
        const bool decides =
            claim.seeds.empty() || std::ranges::binary_search(claim.seeds, cell.numbers[i].seed);
        const std::string& begun = cell.numbers[i].begun;
        if (decides && !begun.empty()) early[cell.trials[i]] = begun < claim.fixed;
      }
    }
  }
  const auto count = std::ranges::count_if(early, [](const auto& trial) { return trial.second; });
  if (count == 0) return "";
  return fmt::format("looked at before the plan: {} of {} began before {}", count,
                     counted(early.size(), "trial"), claim.fixed);
}

/// The weights from which the trials of the column began; empty if the file gives no basis, or the
/// column does not depend on weights (times, counts).
std::string basis_of(const ClaimSpec& claim, const Table& table, size_t column) {
  const auto basis = claim.basis.find(table.profile);
  if (basis == claim.basis.end()) return "";
  const CellKind kind = table.columns[parts_of(table, column).front()].kind;
  return kind == CellKind::measurement || kind == CellKind::fact ? "" : basis->second;
}

/// Settings that both sides of a pair should share but do not; for two columns, the measured settings.
std::set<std::string> differing_settings(const ClaimSpec& claim, const Table& table,
                                         size_t column) {
  std::set<std::string> texts;
  if (!claim.compares_rows()) return texts;
  const std::vector<size_t> ours = parts_of(table, column),
                            theirs = parts_of(table, other_column(claim, table, column));
  if (ours.size() != theirs.size()) return texts;
  for (const std::string& row_name : claim.row) {
    for (const std::string& than_name : claim.than) {
      const size_t row = find_row(claim, table, row_name), than = find_row(claim, table, than_name);
      for (size_t part = 0; part < ours.size(); ++part) {
        const std::string& of =
            row == than ? table.columns[theirs[part]].label : table.rows[than].label;
        for (const std::string& text :
             unlike_texts(table.cells[row][ours[part]], table.cells[than][theirs[part]], of))
          texts.insert(text);
      }
    }
  }
  return texts;
}

/// Remarks on the numbers behind the verdict, from the marks of the compared cells.
std::string remarks_of(const ClaimSpec& claim, const Table& table, size_t column) {
  std::map<MarkKind, std::set<std::string>> texts;
  const auto add = [&](const Cell& cell) {
    for (const Mark& mark : cell.marks) {
      const bool is_remark = mark.kind == MarkKind::needs_data ||
                             mark.kind == MarkKind::partial_data ||
                             mark.kind == MarkKind::other_data || mark.kind == MarkKind::inexact ||
                             mark.kind == MarkKind::unproved ||
                             mark.kind == MarkKind::outside_code || mark.kind == MarkKind::mixed ||
                             mark.kind == MarkKind::kept || mark.kind == MarkKind::imported ||
                             (mark.kind == MarkKind::unlike && !claim.compares_rows());
      if (!is_remark) continue;
      // A mean has the text of only one of its cells.
      const bool whole = cell.kind != CellKind::mean_of || mark.kind == MarkKind::unlike;
      auto& of_kind = texts[mark.kind];
      if (whole) of_kind.insert(mark.text);
    }
  };
  for (const size_t row : rows_behind(claim, table)) {
    for (const size_t shown : std::set<size_t>{column, other_column(claim, table, column)})
      add(table.cells[row][shown]);
  }
  // The marks of a table's cells compare with the baseline of the table.
  const std::set<std::string> unlike = differing_settings(claim, table, column);
  if (!unlike.empty()) texts[MarkKind::unlike] = unlike;
  std::vector<std::string> remarks;
  for (const auto& [kind, of_kind] : texts) {
    const std::string more = joined({of_kind.begin(), of_kind.end()}, ", ");
    remarks.push_back(more.empty() ? to_text(kind) : fmt::format("{}: {}", to_text(kind), more));
  }
  if (const std::string early = early_trials_text(claim, table, column); !early.empty())
    remarks.push_back(early);
  return joined(remarks, "; ");
}

/// Notes of the table that concern its profile and only the tested column or a part of it: "STS-B
/// is near its tuning".
std::vector<std::string> notes_on_column(const Table& table, size_t column) {
  const std::vector<size_t> parts = parts_of(table, column);
  const auto is_of_it = [&](const Word& name) {
    const std::vector<size_t> named = lines_called(table.columns, name.written());
    return std::ranges::any_of(
        named, [&](size_t one) { return one == column || std::ranges::count(parts, one) > 0; });
  };
  std::vector<std::string> texts;
  for (const NoteSpec& note : table.bound_notes) {
    const auto columns = note.lines.find("columns");
    if (note.profiles.empty() || !applies_to_profile(note, table.profile)) continue;
    if (note.lines.size() != 1 || columns == note.lines.end()) continue;
    if (std::ranges::any_of(columns->second, is_of_it)) texts.push_back(note.text);
  }
  return texts;
}

/// "the look at 5 seeds of 2026-11-28 left it undecided: 'a' 1, 'b' 2 ...".
std::string earlier_look_text(const LookResult& look) {
  const std::string of = look.day.empty() ? "" : " of " + look.day;
  return fmt::format("the look at {}{} left it undecided: {}", counted(look.look.seeds, "seed"), of,
                     look.why);
}

/// Adds the commands that bring missing files of the claim's trials.
void take_missing_files(const ClaimSpec& claim, const Table& table, size_t column,
                        ClaimResult& result) {
  for (const size_t part : columns_with_trials(claim, table, column)) {
    for (const size_t row : rows_behind(claim, table)) {
      const Cell& cell = table.cells[row][part];
      result.lacks_data.insert(cell.lacks.begin(), cell.lacks.end());
      result.to_bring.insert(cell.to_bring.begin(), cell.to_bring.end());
    }
  }
}

/// A row cannot be compared with itself.
void refuse_equal_rows(const ClaimSpec& claim, const Table& table, size_t column) {
  if (claim.than_value || other_column(claim, table, column) != column) return;
  std::set<size_t> rows, than;
  for (const std::string& name : claim.row) rows.insert(find_row(claim, table, name));
  for (const std::string& name : claim.than) than.insert(find_row(claim, table, name));
  if (rows == than)
    refuse(claim, fmt::format("row and than are the same, '{}' of table {}; name another row to "
                              "compare with",
                              joined(claim.than, "', '"), table.name));
}

}  // namespace

ClaimResult test_claim(const ClaimSpec& given, const Table& table, ItemGains* items) {
  const ClaimSpec claim = with_looks_of_column(given, table);
  ClaimResult result{
      .name = claim.name, .says = claim.says, .source = claim.source, .table = claim.table};
  const size_t column = tested_column(claim, table);
  if (claim.compares_rows() && claim_direction(claim, table, column) == Direction::unknown) {
    refuse(claim,
           fmt::format("column '{}' of table {} has no direction, so nothing in it is better; give "
                       "the claim one",
                       table.columns[column].label, table.name));
  }
  if (claim.compares_rows()) refuse_equal_rows(claim, table, column);
  if (claim.over_heads && table.columns[column].kind != CellKind::places)
    refuse(claim,
           fmt::format("over: heads goes with a column of places, whose numbers are of heads; "
                       "'{}' of table {} has none",
                       table.columns[column].label, table.name));
  result.test = claim.test;
  result.column = table.columns[column].label;
  result.row = joined(claim.row);
  result.than = claim.than_value ? shortest(*claim.than_value) : joined(claim.than);
  result.margin = claim.margin;
  result.unit = claim.unit;
  const Comparable compared = comparable(claim, table, Numbers::ours);
  if (claim.compares_rows()) {
    result.paper = paper_comparison(claim, table, column).text;
    result.smallest = smallest_effect(claim, table);
    judge_pair(compared, table, column, items, result);
  } else {
    judge_trend(claim, table, column, items, result);
  }
  const bool is_tested = claim.columns.size() > 1 && result.verdict != Verdict::not_at_this_scale;
  const std::string of =
      (is_tested ? "tested on " + table.columns[column].label + ": " : "") + compared.chosen;
  for (LookResult& look : result.looks) {
    look.trials = trials_behind(compared.claim, table, column, look.seeds);
    const auto recorded = claim.recorded.find(look.look.seeds);
    const bool is_as_recorded =
        recorded != claim.recorded.end() && look.why == recorded->second.why;
    if (!is_as_recorded) look.why = of + look.why;
  }
  if (result.why.empty() && !result.looks.empty()) {
    result.why = result.looks.back().why;
  } else {
    result.why = of + result.why;
    if (result.incomplete && !result.unmeasured) result.why += "; trials are missing";
  }
  if (result.verdict != Verdict::undecided) result.decides.clear();
  if (result.incomplete) take_missing_files(claim, table, column, result);
  const std::string basis = basis_of(claim, table, column);
  result.adaptation_only = !basis.empty() && claim.test->says_more;
  for (size_t look = 0; look + 1 < result.looks.size(); ++look)
    add_remark(earlier_look_text(result.looks[look]), result);
  for (const std::string& note : notes_on_column(table, column)) add_remark(note, result);
  std::vector<std::string> remarks = {result.remarks, basis,
                                      remarks_of(compared.claim, table, column)};
  std::erase(remarks, "");
  result.remarks = joined(remarks, "; ");
  return result;
}

std::map<std::string, std::set<std::string>> awaited_trials(const ClaimSpec& claim,
                                                            const Table& table,
                                                            const ClaimResult& result) {
  std::map<std::string, std::set<std::string>> awaited;
  if (result.verdict != Verdict::undecided || result.awaits.empty()) return awaited;
  std::set<std::string> of_look;
  for (const size_t column : columns_with_trials(claim, table, tested_column(claim, table))) {
    for (const std::vector<Cell>& row : table.cells) {
      const Cell& cell = row[column];
      // A select's trial that has not run counts for all its seeds.
      const bool is_of_all = cell.trials.size() < cell.planned_seeds.size();
      for (size_t i = 0; i < cell.trials.size(); ++i) {
        if (is_of_all || std::ranges::count(result.awaits, cell.numbers[i].seed) > 0)
          of_look.insert(cell.trials[i]);
      }
    }
  }
  for (const auto& [sweep, trials] : table.to_run) {
    for (const std::string& trial : trials) {
      if (of_look.contains(trial)) awaited[sweep].insert(trial);
    }
  }
  return awaited;
}

void add_remark(const std::string& text, ClaimResult& result) {
  result.remarks += (result.remarks.empty() ? "" : "; ") + text;
}

double smallest_effect(const ClaimSpec& claim, const Table& table) {
  if (!claim.test->has_smallest) return 0;
  if (claim.smallest) return *claim.smallest;
  const PaperComparison paper = paper_comparison(claim, table, tested_column(claim, table));
  return kSmallestPart * std::max(0.0, paper.gain.value_or(0));
}

const char* to_text(ClaimScope scope) {
  switch (scope) {
    case ClaimScope::seeds:
      return "seeds";
    case ClaimScope::heads:
      return "heads";
    case ClaimScope::counts:
      return "counts";
  }
  return "";
}

std::optional<double> alpha_of(const ClaimResult& claim) {
  if (!claim.judgement) return std::nullopt;
  return claim.looks.empty() ? kAlpha : claim.looks.back().look.alpha;
}

void set_false_discovery_rates(std::vector<ClaimResult>& claims) {
  for (const ClaimScope scope : {ClaimScope::seeds, ClaimScope::heads}) {
    std::vector<double> p;
    std::vector<ClaimResult*> tested;
    for (ClaimResult& claim : claims) {
      if (claim.scope != scope || !claim.judgement) continue;
      p.push_back(std::min(1.0, claim.judgement->p * kAlpha / *alpha_of(claim)));
      tested.push_back(&claim);
    }
    const std::vector<double> q = benjamini_hochberg(p);
    for (size_t i = 0; i < q.size(); ++i) tested[i]->q = q[i];
  }
}

std::vector<std::string> columns_behind(const ClaimSpec& claim, const Table& table) {
  std::vector<std::string> labels;
  for (const size_t part : parts_of(table, tested_column(claim, table)))
    labels.push_back(table.columns[part].label);
  return labels;
}

namespace {

/// `decides`: see ClaimResult.
void take_back(Verdict verdict, const std::string& why, const std::string& decides,
               ClaimResult& result) {
  result.verdict = verdict;
  result.why = why + "; " + result.why;
  result.decides = decides;
  result.judgement.reset();
  result.awaits.clear();
}

}  // namespace

void apply_gate(const GateResult& gate, ClaimResult& result) {
  // If the plan leaves the claim out, no pilot matters.
  if (result.verdict == Verdict::not_at_this_scale) return;
  result.gate = gate.why;
  for (const std::string& remark : gate.remarks) add_remark(remark, result);
  if (gate.state == GateState::passed) {
    if (is_decided(result.verdict) && !gate.why.empty()) add_remark(gate.why, result);
    return;
  }
  const bool is_closed = gate.state == GateState::closed;
  take_back(is_closed ? Verdict::not_at_this_scale : Verdict::undecided, gate.why, gate.needs,
            result);
  if (is_closed) return;
  result.waits_for_gate = true;
  result.unmeasured = !gate.runs;
  result.lacks_data = gate.lacks_data;
  result.incomplete = true;
}

namespace {

ClaimResult::Unmade unmade(const std::string& table, const std::string& column,
                           const std::string& message) {
  const std::string of = column.empty() ? "" : fmt::format("column '{}' of ", column);
  return {fmt::format("{}table {}", of, table), table, message};
}

std::string text_of(const ClaimResult::Unmade& unmade) {
  return fmt::format("{} cannot be made: {}", unmade.what,
                     unmade.message.substr(0, unmade.message.find('\n')));
}

}  // namespace

ClaimResult untested_claim(const ClaimSpec& claim, const std::string& column,
                           const std::string& message) {
  ClaimResult result{
      .name = claim.name, .says = claim.says, .source = claim.source, .table = claim.table};
  result.unmade = unmade(claim.table, column, message);
  result.why = text_of(*result.unmade);
  result.decides = "its table";
  return result;
}

void leave_gate_unmade(const GateSpec& gate, const std::string& column, const std::string& message,
                       ClaimResult& result) {
  if (result.verdict == Verdict::not_at_this_scale) return;
  result.unmade = unmade(gate.table, column, message);
  take_back(Verdict::undecided, text_of(*result.unmade), "the table of its gate", result);
}

}  // namespace rethink
