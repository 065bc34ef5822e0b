#include "plots/table/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/error.h"
#include "core/message.h"
#include "plots/table/table_spec.h"
#include "results/statistics/statistics.h"

namespace rethink {
namespace {

struct SeedRange {
  size_t least = 0, most = 0;  // seeds of cells with a number
};

SeedRange seed_range(const Table& table) {
  SeedRange range;
  for (const std::vector<Cell>& row : table.cells) {
    for (const Cell& cell : row) {
      const size_t n = cell.samples.size();
      if (n == 0) continue;
      range.least = range.least == 0 ? n : std::min(range.least, n);
      range.most = std::max(range.most, n);
    }
  }
  return range;
}

/// "3 seeds" if all cells with a number have equally many, else "2 to 3 seeds"; "no seeds" without
/// numbers.
std::string seeds_text(const Table& table) {
  const SeedRange range = seed_range(table);
  if (range.most == 0) return "no seeds";
  if (range.least == range.most) return counted(range.most, "seed");
  return fmt::format("{} to {} seeds", range.least, range.most);
}

size_t count_cells(const Table& table, bool (*holds)(const Cell&)) {
  size_t count = 0;
  for (const std::vector<Cell>& row : table.cells)
    count += static_cast<size_t>(std::count_if(row.begin(), row.end(), holds));
  return count;
}

/// The columns in which done trials lack their value.
std::vector<const TableColumn*> columns_not_measured(const Table& table) {
  std::vector<const TableColumn*> columns;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const bool lacks = std::ranges::any_of(
        table.cells, [&](const auto& row) { return row[column].has(MarkKind::no_value); });
    if (lacks) columns.push_back(&table.columns[column]);
  }
  return columns;
}

/// The values of columns, each once: "test/mcc@last, dev/f1@last".
std::string values_of(const std::vector<const TableColumn*>& columns) {
  std::vector<std::string> values;
  for (const TableColumn* column : columns) {
    if (!column->value.empty() && std::ranges::count(values, column->value) == 0)
      values.push_back(column->value);
  }
  return joined(values);
}

/// What the columns show: "metric", "measurement" or "fact"; "value" if of several kinds.
std::string kind_of(const std::vector<const TableColumn*>& columns) {
  std::set<std::string> kinds;
  for (const TableColumn* column : columns) {
    if (column->value.empty()) continue;
    kinds.insert(column->kind == CellKind::measurement ? "measurement"
                 : column->kind == CellKind::fact      ? "fact"
                                                       : "metric");
  }
  return kinds.size() == 1 ? *kinds.begin() : "value";
}

/// Cells that get a number when all trials are done.
size_t planned_cells(const Table& table) {
  return count_cells(table, [](const Cell& cell) { return !cell.is_unplanned(); });
}

bool waits_for_trials(const Cell& cell) {
  return cell.waits() && std::ranges::any_of(cell.marks, [](const Mark& mark) {
           return mark.kind > MarkKind::needs_data && mark.kind < MarkKind::no_value;
         });
}

void note_missing_cells(const Table& table, const TableSpec& spec, std::vector<SheetNote>& notes) {
  const size_t cells = planned_cells(table);
  const size_t waiting = count_cells(table, waits_for_trials);
  std::set<std::string> to_bring;
  for (const std::vector<Cell>& row : table.cells) {
    for (const Cell& cell : row) {
      if (waits_for_trials(cell)) to_bring.insert(cell.to_bring.begin(), cell.to_bring.end());
    }
  }
  if (const SheetNote note = needs_data_note(table, "cells"); !note.text.empty())
    notes.push_back(not_complete(note));
  if (table.num_to_run() > 0) {
    notes.push_back(not_complete(
        {fmt::format("{} of {} cells wait for trials, {}", waiting, cells,
                     not_done_text(table.num_to_run(), table.num_trials(), table.needed.size())),
         table.can_start
             ? fmt::format("; run them with: {}{}", table.again.table(spec.name, "--run"),
                           when_downloaded_text(to_bring))
             : ""}));
  }
  if (const SheetNote note = not_measured_note(table, "cells"); !note.text.empty())
    notes.push_back(not_complete(note));
  const size_t unsent =
      count_cells(table, [](const Cell& cell) { return cell.has(MarkKind::not_imported); });
  if (unsent > 0) {
    notes.push_back(not_complete(
        {fmt::format("{} of {} cells wait for scores that a server gives", unsent, cells),
         fmt::format(": `{}` writes what it takes, `{}` reads its answer",
                     store_command("score submission SWEEP NEW_DIR", table.again.store),
                     store_command("score import FILE", table.again.store))}));
  }
  for (const SheetNote& note : notes_on_failures(table)) notes.push_back(note);
}

/// The baseline of the rows; empty if there is none.
std::string baseline_text(const Table& table) {
  std::vector<std::string> baselines;
  for (const TableRow& row : table.rows) {
    if (!row.baseline.empty() && (baselines.empty() || baselines.back() != row.baseline))
      baselines.push_back(row.baseline);
  }
  constexpr size_t kMostBaselines = 3;
  if (baselines.size() > kMostBaselines) return "the nearest row above that has no Δ";
  return baselines.size() < 2 ? joined(baselines)
                              : joined(baselines, " or ") + ", the one above a row";
}

void note_numbers(const Table& table, std::vector<SheetNote>& notes) {
  const SeedRange seeds = seed_range(table);
  std::string text = choices_text(table.profile, table.settings);
  if (seeds.most > 1) {
    const bool has_spread = count_cells(table, [](const Cell& cell) {
                              return cell.spread.has_value() && !cell.is_fixed();
                            }) > 0;
    text += fmt::format("; mean{} over {}", has_spread ? " ± " + spread_text(table.spread) : "",
                        seeds_text(table));
  } else if (seeds.most == 1) {
    text += "; one seed, so without a spread";
  }
  if (const std::string baseline = baseline_text(table); !baseline.empty())
    text += fmt::format("; Δ: difference to {}", baseline);
  notes.push_back({text});
}

/// Reported once for all cells; the column n shows which.
void note_few_seeds(const Table& table, const TableSpec& spec, std::vector<SheetNote>& notes) {
  std::set<size_t> seeds;
  size_t few = 0, all = 0;
  for (const std::vector<Cell>& row : table.cells) {
    for (const Cell& cell : row) {
      if (!cell.value) continue;
      ++all;
      if (!cell.has(MarkKind::few_seeds)) continue;
      ++few;
      seeds.insert(cell.samples.size());
    }
  }
  if (few == 0) return;
  notes.push_back({fmt::format("{}{}: got {}{}, wanted {}", to_text(MarkKind::few_seeds),
                               few < all ? fmt::format(" in {} of {} cells", few, all) : "",
                               seeds.size() > 1 ? fmt::format("{} to ", *seeds.begin()) : "",
                               *seeds.rbegin(), spec.wanted_seeds)});
}

std::string test_text(const std::string& kind) {
  return kind == kPairedBootstrap ? "paired bootstrap over test items, not over seeds"
                                  : seed_test(kind).text;
}

/// The number of cells that test `index` judged so.
size_t count_tested(const Table& table, size_t index, bool (*holds)(const CellTest&)) {
  size_t count = 0;
  for (const std::vector<Cell>& row : table.cells) {
    for (const Cell& cell : row) count += holds(cell.tests[index]) ? 1 : 0;
  }
  return count;
}

/// Cells that will be tested when their seeds are done.
size_t count_awaited(const Table& table) {
  size_t count = 0;
  for (const std::vector<Cell>& row : table.cells) {
    for (size_t column = 0; column < row.size(); ++column) {
      const bool is_tested = table.columns[column].direction != Direction::unknown;
      count += is_tested && row[column].delta_awaits ? 1 : 0;
    }
  }
  return count;
}

bool has_p(const CellTest& test) {
  return test.p.has_value();
}

/// The result of one test; if there are two, the text names the test.
void note_test(const Table& table, size_t index, const std::string& baseline,
               std::vector<SheetNote>& notes) {
  const TestSpec& test = table.tests[index];
  const size_t tested = count_tested(table, index, has_p);
  const size_t significant =
      count_tested(table, index, [](const CellTest& one) { return one.significant; });
  if (tested > 0) {
    const std::string correction =
        test.correction != "holm" ? ", not corrected for several comparisons"
        : tested > 1              ? fmt::format(", Holm's correction over {} comparisons", tested)
                                  : "";
    const std::string finding = significant > 0 ? fmt::format("{}: differs from", kTestMarks[index])
                                                : "nothing differs from";
    const size_t awaited = count_awaited(table);
    notes.push_back({fmt::format(
        "{} {} with p < {} ({}{}){}", finding, baseline, test.alpha, test_text(test.kind),
        correction,
        awaited == 0 ? ""
                     : fmt::format(" so far; {} {} for seeds", counted(awaited, "comparison"),
                                   awaited == 1 ? "waits" : "wait"))});
  }
  const size_t unvaried =
      count_tested(table, index, [](const CellTest& one) { return one.unvaried; });
  if (unvaried > 0) {
    notes.push_back({fmt::format(
        "{} without a p{}: {} differ from {} by the same, which says nothing of what chance does",
        unvaried == 1 ? "1 cell is" : fmt::format("{} cells are", unvaried),
        table.tests.size() > 1 ? fmt::format(" of the {}", test_text(test.kind)) : "",
        unvaried == 1 ? "its seeds" : "their seeds", baseline)});
  }
}

void note_tests(const Table& table, std::vector<SheetNote>& notes) {
  const std::string baseline = baseline_text(table);
  if (table.tests.empty() || baseline.empty()) return;
  for (size_t index = 0; index < table.tests.size(); ++index)
    note_test(table, index, baseline, notes);
  if (count_cells(table, [](const Cell& cell) { return cell.of_survivors(); }) > 0) {
    notes.push_back(
        {"rows with seeds that diverged are not tested: the seeds that are left are the luckier "
         "ones"});
  }
  const auto over_items = std::ranges::find(table.tests, kPairedBootstrap, &TestSpec::kind);
  const bool has_items = over_items != table.tests.end();
  const auto items = static_cast<size_t>(over_items - table.tests.begin());
  if (has_items && count_tested(table, items, has_p) > 0) {
    notes.push_back({fmt::format(
        "Δ 95%: interval of the paired bootstrap over test items ({} resamples, mean over "
        "seeds): how sure the difference of these trained models is on other items; it says "
        "nothing about other seeds",
        table.item_resamples)});
  }
  const size_t seeds = seed_range(table).most;
  const bool are_over_seeds = table.tests.size() > (has_items ? 1 : 0);
  if (seeds > 1 && are_over_seeds) {
    const double smallest = smallest_permutation_p(seeds);
    const char* offer =
        table.has_item_metric && !has_items && smallest > table.tests.front().alpha
            ? "; in the spec, test: {kind: paired_bootstrap} compares over test items instead"
            : "";
    const bool permutes =
        std::ranges::count(table.tests, "paired_permutation", &TestSpec::kind) > 0;
    notes.push_back(
        {permutes
             ? fmt::format("with {} seeds no two-sided permutation test gives p below {:.3g}",
                           seeds, smallest)
             : fmt::format("the t-test assumes normal differences; a permutation test, which does "
                           "not, gives no p below {:.3g} with {} seeds",
                           smallest, seeds),
         offer});
  }
}

void note_order(const Table& table, std::vector<SheetNote>& notes) {
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const RowOrder& order = table.orders[column];
    if (!order.kendall) continue;
    notes.push_back({fmt::format(
        "{}: order of {} rows{} against the paper's: Kendall's τ = {:.2f}",
        table.columns[column].label, order.rows,
        order.left_out > 0
            ? fmt::format(" (not of {} that give always the same answer)", order.left_out)
            : "",
        *order.kendall)});
  }
}

}  // namespace

SheetNote not_complete(const SheetNote& note) {
  return {"NOT COMPLETE: " + note.text, note.hint};
}

SheetNote not_measured_note(const Table& table, const std::string& what) {
  const size_t without =
      count_cells(table, [](const Cell& cell) { return cell.has(MarkKind::no_value); });
  if (without == 0) return {};
  const std::vector<const TableColumn*> columns = columns_not_measured(table);
  const std::string kind = kind_of(columns), values = values_of(columns),
                    show = store_command("show TRIAL", table.again.store);
  const bool is_evaluated = std::ranges::count(columns, CellKind::metric, &TableColumn::kind) > 0;
  return {fmt::format("{} of {} {} have trials that are done without {}{}", without,
                      planned_cells(table), what, is_evaluated ? "" : kind + " ", values),
          fmt::format("; name a {} that they have ({}){}", kind, show,
                      is_evaluated ? ", or have the sweep evaluate it" : "")};
}

SheetNote needs_data_note(const Table& table, const std::string& what) {
  std::set<std::string> lacks;
  for (const std::vector<Cell>& row : table.cells) {
    for (const Cell& cell : row) lacks.insert(cell.lacks.begin(), cell.lacks.end());
  }
  if (lacks.empty()) return {};
  const size_t lacking = count_cells(
      table, [](const Cell& cell) { return !cell.lacks.empty() && !cell.is_unplanned(); });
  return needs_data_note(lacking, planned_cells(table), what, lacks);
}

SheetNote needs_data_note(size_t lacking, size_t all, const std::string& what,
                          const std::set<std::string>& lacks) {
  return {fmt::format("{} of {} {} need data that is not here", lacking, all, what),
          "; name its folder with --data or RETHINK_DATA, or get it: " +
              joined({lacks.begin(), lacks.end()}, "; ")};
}

std::string when_downloaded_text(const std::set<std::string>& to_bring) {
  if (to_bring.empty()) return "";
  return ", when their data are here: " + joined({to_bring.begin(), to_bring.end()}, "; ");
}

std::string not_done_text(size_t missing, size_t trials, size_t needed) {
  std::string text = fmt::format("{} of {} trials are not done", missing, trials);
  if (needed > 0)
    text += fmt::format(", nor {} {} that they need", needed > 1 ? "are" : "is", needed);
  return text;
}

std::string choices_text(const std::string& profile, const std::string& settings) {
  std::string text = profile.empty() ? "" : "profile " + profile;
  if (!settings.empty()) text += (text.empty() ? "" : ", ") + settings;
  return text.empty() ? "no profile" : text;
}

std::string title_under(const std::string& profile, const std::string& title) {
  if (!only_tests_that_it_runs(profile)) return title;
  return title + (title.empty() ? "" : ". ") + "Smoke test of the wiring; its numbers mean nothing";
}

std::vector<SheetNote> notes_on_failures(const Table& table) {
  const auto failed = [](const Cell& cell) {
    return cell.has(MarkKind::failed) || cell.has(MarkKind::oom) || cell.has(MarkKind::killed) ||
           cell.has(MarkKind::timeout);
  };
  std::vector<std::string> states;
  std::vector<SheetNote> notes;
  if (count_cells(table, failed) > 0) states.emplace_back(to_text(MarkKind::failed));
  const auto cancelled = [](const Cell& cell) { return cell.has(MarkKind::cancelled); };
  if (count_cells(table, cancelled) > 0) states.emplace_back(to_text(MarkKind::cancelled));
  // A trial that they need failed or was cancelled.
  const auto blocked = [](const Cell& cell) { return cell.has(MarkKind::blocked); };
  if (count_cells(table, blocked) > 0) states.emplace_back(to_text(MarkKind::blocked));
  if (states.empty()) return notes;
  for (const auto& [sweep, trials] : table.to_run) {
    const std::string words =
        fmt::format("retry {}{}", table.sweep_names.at(sweep),
                    table.profile.empty() ? "" : " --profile " + table.profile);
    notes.push_back({joined(states, " and ") + " trials run again only on request",
                     ": " + store_command(words, table.again.store)});
  }
  return notes;
}

std::string spread_text(const std::string& spread) {
  if (spread == "sd") return "standard deviation";
  return spread == "sem" ? "standard error" : "half of the 95% confidence interval";
}

std::vector<NoteSpec> notes_on_paper_means(const ComparedTable& table) {
  std::vector<NoteSpec> notes;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const bool computed = std::ranges::any_of(table.cells, [&](const std::vector<Cell>& row) {
      return row[column].paper && row[column].paper->computed;
    });
    const std::string& label = table.columns[column].label;
    if (computed)
      notes.push_back({label + ": the paper prints no such mean; in brackets that of its cells",
                       {{"columns", {{label, {}}}}}});
  }
  return notes;
}

bool applies_to_profile(const NoteSpec& note, const std::string& profile) {
  return note.profiles.empty() || std::ranges::any_of(note.profiles, [&](const Word& name) {
           return name.text == (profile.empty() ? kNoProfile : profile);
         });
}

void check_profiles(const std::vector<NoteSpec>& notes, const Grid& grid) {
  std::vector<std::string> known(grid.profiles.begin(), grid.profiles.end());
  known.push_back(kNoProfile);
  Problems problems;
  for (const NoteSpec& note : notes) {
    for (const Word& name : note.profiles) {
      if (std::ranges::find(known, name.text) != known.end()) continue;
      problems.add(name.at, "unknown-profile",
                   fmt::format("notes: no sweep here has a profile '{}'{}; there are: {}",
                               name.text, did_you_mean(name.text, known), joined(known)));
    }
  }
  problems.throw_if_any();
}

bool is_about(const NoteSpec& note, const Table& table) {
  return applies_to_profile(note, table.profile) &&
         std::ranges::all_of(note.lines, [&](const auto& named) {
           return std::ranges::any_of(named.second, [&](const Word& name) {
             return named.first == "rows" ? !lines_called(table.rows, name.written()).empty()
                                          : !lines_called(table.columns, name.written()).empty();
           });
         });
}

/// Values of the rows' axes that trials have, and that neither `order` nor a `where` takes.
void note_values_without_row(const Grid& grid, std::vector<SheetNote>& notes) {
  for (const auto& [axis, values] : grid.values_without_row) {
    notes.push_back({fmt::format("planned, and in no row: {} {}", axis, joined(values)),
                     "; `order` names them, or `others` gives each value a row"});
  }
  for (const auto& [place, values] : grid.values_beside_where) {
    const auto& [sweep, axis] = place;
    const std::string where =
        grid.sweep_names.size() > 1 ? " in " + grid.sweep_names.at(sweep) : "";
    notes.push_back(
        {fmt::format("planned{}, and in no row: {} {}", where, axis, joined(values)),
         fmt::format("; a row with `where: {{{}: {}}}` shows it", axis, values.front())});
  }
}

std::vector<SheetNote> notes_of(const Table& table, const TableSpec& spec, const Grid& grid) {
  std::vector<SheetNote> notes;
  note_missing_cells(table, spec, notes);
  note_values_without_row(grid, notes);
  note_numbers(table, notes);
  for (const std::string& note : table.draw_notes) notes.push_back({note});
  note_few_seeds(table, spec, notes);
  note_tests(table, notes);
  note_order(table, notes);
  for (const NoteSpec& note : notes_on_paper_means(table)) notes.push_back({note.text});
  for (const NoteSpec& note : spec.notes) {
    if (is_about(note, table)) notes.push_back({note.text});
  }
  return notes;
}

namespace {

constexpr size_t kMostRowsNamed = 8;

std::string named_rows(std::vector<std::string> labels) {
  const size_t more = labels.size() - std::min(kMostRowsNamed, labels.size());
  labels.resize(labels.size() - more);
  return joined(labels, "; ") + (more > 0 ? fmt::format("; and {} more", more) : "");
}

/// Sentences with their rows, in the order of the first row.
class NotesByRows {
 public:
  void add(const std::string& sentence, const std::string& row) {
    const auto same = std::ranges::find(notes_, sentence, &Note::sentence);
    Note& note = same == notes_.end() ? notes_.emplace_back(Note{sentence, {}}) : *same;
    if (note.rows.empty() || note.rows.back() != row) note.rows.push_back(row);
  }

  std::vector<std::string> texts() const {
    std::vector<std::string> texts;
    for (const Note& note : notes_) texts.push_back(note.sentence + ": " + named_rows(note.rows));
    return texts;
  }

 private:
  struct Note {
    std::string sentence;
    std::vector<std::string> rows;
  };
  std::vector<Note> notes_;
};

/// The draws and seeds behind the trials of one cell.
class CellDraws {
 public:
  CellDraws(const Cell& cell, const TableSpec& spec, const Grid& grid) : grid_(grid) {
    for (size_t i = 0; i < cell.trials.size(); ++i) {
      const auto planned = grid.planned.find(cell.trials[i]);
      if (planned != grid.planned.end()) add(*planned->second, cell.numbers[i].seed, spec);
    }
  }

  bool any() const { return !own_.empty() || most_draws() > 1; }

  void note(NotesByRows& notes, const std::string& row) const {
    if (!own_.empty()) {
      notes.add(
          fmt::format("each seed has a draw of its own ({})", joined({own_.begin(), own_.end()})),
          row);
    }
    if (most_draws() > 1) {
      notes.add(fmt::format("the number of each seed is the mean over {} draws ({})", most_draws(),
                            joined({axes_.begin(), axes_.end()})),
                row);
    }
  }

  void note_stages_behind(std::vector<std::string>& notes) const {
    for (const auto& [stages, seeds] : behind_) {
      if (seeds.size() >= draws_.size()) continue;
      const std::string text =
          fmt::format("{} of stage '{}' rest on {} of stage '{}'", counted(draws_.size(), "seed"),
                      stages.first, counted(seeds.size(), "seed"), stages.second);
      if (std::ranges::find(notes, text) == notes.end()) notes.push_back(text);
    }
  }

 private:
  void add(const PlannedTrial& planned, int64_t seed, const TableSpec& spec) {
    std::vector<std::string> draw;
    for (const std::string& axis : spec.over) {
      const auto label = planned.labels.find(axis);
      if (label == planned.labels.end() || !grid_.draw_axes.contains(axis)) continue;
      draw.push_back(label->second);
      axes_.insert(axis);
    }
    draws_[seed].insert(draw);
    own_.insert(planned.own_draws.begin(), planned.own_draws.end());
    for (const auto& [slot, ids] : planned.trial.needs) {
      for (const std::string& id : ids) {
        const auto need = grid_.planned.find(id);
        if (need == grid_.planned.end() || !need->second->trial.seed) continue;
        behind_[{planned.stage, need->second->stage}].insert(*need->second->trial.seed);
      }
    }
  }

  size_t most_draws() const {
    size_t most = 0;
    for (const auto& [seed, draws] : draws_) most = std::max(most, draws.size());
    return most;
  }

  const Grid& grid_;
  std::set<std::string> own_, axes_;
  std::map<int64_t, std::set<std::vector<std::string>>> draws_;              // by seed
  std::map<std::pair<std::string, std::string>, std::set<int64_t>> behind_;  // by stage and need
};

}  // namespace

std::vector<std::string> notes_on_draws(const Table& table, const TableSpec& spec,
                                        const Grid& grid) {
  NotesByRows rows;
  std::vector<std::string> behind;
  bool any = false;
  for (size_t row = 0; row < table.rows.size(); ++row) {
    for (const Cell& cell : table.cells[row]) {
      if (!cell.value || is_derived(cell.kind)) continue;  // its parts are cells of the row
      const CellDraws draws(cell, spec, grid);
      draws.note(rows, table.rows[row].label);
      draws.note_stages_behind(behind);
      any = any || draws.any();
    }
  }
  if (!any) return {};
  std::vector<std::string> notes = rows.texts();
  notes.insert(notes.end(), behind.begin(), behind.end());
  return notes;
}

}  // namespace rethink
