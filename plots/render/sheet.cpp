#include "plots/render/sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/message.h"
#include "plots/render/latex_text.h"
#include "plots/table/notes.h"
#include "plots/text_format.h"

namespace rethink {
namespace {

constexpr int64_t kMostDeltaDecimals = 12;  // of a difference

/// a, b, ..., z, aa, ab, ...
std::string letters(size_t index) {
  std::string text;
  for (size_t rest = index + 1; rest > 0; rest = (rest - 1) / 26) {
    text.insert(text.begin(), static_cast<char>('a' + (rest - 1) % 26));
  }
  return text;
}

class Footnotes {
 public:
  explicit Footnotes(Sheet& sheet) : sheet_(sheet) {}

  /// Letters in the order of the footnotes. Too few seeds have no letter, since a note reports them once for all cells.
  std::string letters_of(const Cell& cell) {
    std::set<size_t> places;
    for (const Mark& mark : cell.marks) {
      if (mark.kind != MarkKind::few_seeds) places.insert(place_of(footnote_text(mark)));
    }
    std::vector<std::string> all;
    for (const size_t place : places) all.push_back(letters(place));
    return joined(all, ",");
  }

 private:
  size_t place_of(const std::string& text) {
    const auto [known, is_new] = known_.try_emplace(text, sheet_.footnotes.size());
    if (is_new) sheet_.footnotes.emplace_back(letters(known->second), text);
    return known->second;
  }

  Sheet& sheet_;
  std::map<std::string, size_t> known_;
};

SheetBox measured_box(const Cell& cell, const TableColumn& column, Footnotes& footnotes) {
  SheetBox box;
  if (cell.value) {
    box.text = fixed(*cell.value, column.decimals);
    if (cell.spread && !cell.is_fixed()) box.text += " ± " + fixed(*cell.spread, column.decimals);
    for (size_t i = 0; i < cell.tests.size(); ++i) {
      if (cell.tests[i].significant) box.text += kTestMarks[i];
    }
    box.best = cell.best;
    if (cell.of_survivors()) {
      box.part = fmt::format("{}, {} diverged", counted(cell.samples.size(), "seed"),
                             cell.diverged().size());
    } else if (cell.is_partial()) {
      box.part = fmt::format("{} of {}", cell.samples.size(), counted(cell.awaited(), "seed"));
    }
  } else {
    box.marked = true;
    box.text = cell.text_without_number();
    if (cell.has(MarkKind::published)) box.text = "not run";
    if (!cell.marks.empty() && cell.marks.front().kind == MarkKind::not_applicable) box.text = "–";
  }
  // A word that repeats its footnote needs no letter.
  const bool said = !cell.value && cell.marks.size() == 1 && cell.marks.front().text == box.text;
  if (!said) box.footnotes = footnotes.letters_of(cell);
  return box;
}

/// The number, or the seeds that are missing.
SheetBox number_box(const std::optional<double>& value, int64_t decimals,
                    const std::optional<SeedsSoFar>& awaits = std::nullopt) {
  SheetBox box;
  if (value) box.text = fixed(*value, decimals, true);
  if (awaits) {
    box.marked = true;
    box.text = fmt::format("{} of {}", awaits->done, counted(awaits->planned, "seed"));
  }
  return box;
}

/// The decimals of the difference to the baseline and of its interval; with a test's mark, as many
/// as show a digit other than 0.
int64_t decimals_of_delta(const Cell& cell, const TableColumn& column) {
  if (!cell.is_significant()) return column.decimals;
  std::vector<double> shown = {cell.delta.value_or(0)};
  if (cell.delta_interval) {
    shown.push_back(cell.delta_interval->low);
    shown.push_back(cell.delta_interval->high);
  }
  int64_t decimals = column.decimals;
  const auto looks_zero = [&](double value) {
    return value != 0 && fixed(value, decimals).find_first_of("123456789") == std::string::npos;
  };
  while (decimals < kMostDeltaDecimals && std::ranges::any_of(shown, looks_zero)) ++decimals;
  return decimals;
}

std::vector<SheetBox> boxes_of(const Cell& cell, const TableColumn& column, Footnotes& footnotes) {
  SheetBox n, paper, interval;
  if (cell.value) n.text = fmt::format("{}", cell.samples.size());
  if (cell.paper) {
    paper.text = cell.paper->text;
    paper.best = cell.paper_best;
  }
  const int64_t decimals = decimals_of_delta(cell, column);
  if (cell.delta_interval) {
    interval.text = fmt::format("{} to {}", fixed(cell.delta_interval->low, decimals, true),
                                fixed(cell.delta_interval->high, decimals, true));
  }
  return {measured_box(cell, column, footnotes),
          n,
          paper,
          number_box(cell.difference, column.decimals, cell.difference_awaits),
          number_box(cell.delta, decimals, cell.delta_awaits),
          interval,
          number_box(cell.paper_delta, column.decimals)};
}

const std::vector<std::string> kBoxNames = {"ours",   "n",     "paper",  "ours - paper",
                                            "Δ ours", "Δ 95%", "Δ paper"};
constexpr size_t kSeedsBox = 1;
/// Box names of a table without a paper's numbers, in which "ours" would have no counterpart.
const std::vector<std::string> kBoxNamesWithoutPaper = {"",  "n",     "paper",  "ours - paper",
                                                        "Δ", "Δ 95%", "Δ paper"};

std::string column_title(const TableColumn& column) {
  if (column.direction == Direction::unknown) return column.label;
  return column.label + (column.direction == Direction::min ? " ↓" : " ↑");
}

bool has_paper_numbers(const Table& table) {
  return std::ranges::any_of(table.cells, [](const std::vector<Cell>& row) {
    return std::ranges::any_of(
        row, [](const Cell& cell) { return cell.paper || cell.paper_delta || cell.difference; });
  });
}

/// If n is equal everywhere, a note shows it once.
bool seeds_differ(const Table& table) {
  std::optional<size_t> first;
  for (const std::vector<Cell>& row : table.cells) {
    for (const Cell& cell : row) {
      if (!cell.value) continue;
      if (first && *first != cell.samples.size()) return true;
      first = cell.samples.size();
    }
  }
  return false;
}

/// The boxes of column `column` that have text in some row.
std::vector<size_t> shown_boxes(const std::vector<std::vector<std::vector<SheetBox>>>& all,
                                size_t column, bool with_seeds) {
  std::vector<size_t> shown;
  for (size_t box = 0; box < kBoxNames.size(); ++box) {
    if (box == kSeedsBox && !with_seeds) continue;
    const bool filled = std::any_of(all.begin(), all.end(),
                                    [&](const auto& r) { return !r[column][box].text.empty(); });
    if (filled) shown.push_back(box);
  }
  return shown;
}

}  // namespace

Sheet bare_sheet(Sheet sheet) {
  for (std::vector<SheetBox>& row : sheet.rows) {
    for (SheetBox& box : row) {
      box.footnotes.clear();
      if (!box.part.empty()) box.text += " (" + box.part + ")";
    }
  }
  return sheet;
}

Sheet sheet_without_mathematics(Sheet sheet) {
  const auto change = [](std::string& text) { text = without_mathematics(text); };
  change(sheet.title);
  std::ranges::for_each(sheet.labels, change);
  for (SheetNote& note : sheet.notes) change(note.text), change(note.hint);
  for (SheetHeader& header : sheet.headers) change(header.group), change(header.text);
  for (auto& [letter, text] : sheet.footnotes) change(text);
  return sheet;
}

std::vector<HeaderGroup> header_groups(const Sheet& sheet) {
  std::vector<HeaderGroup> groups;
  for (size_t i = 0; i < sheet.headers.size(); ++i) {
    if (groups.empty() || groups.back().text != sheet.headers[i].group)
      groups.push_back({sheet.headers[i].group, i, 0});
    ++groups.back().count;
  }
  return groups;
}

Sheet make_sheet(const Table& table) {
  Sheet sheet;
  sheet.name = table.name;
  sheet.title = table.title;
  sheet.notes = table.notes;
  Footnotes footnotes(sheet);
  std::vector<std::vector<std::vector<SheetBox>>> all;  // [row][column][box]
  for (size_t row = 0; row < table.rows.size(); ++row) {
    sheet.labels.push_back(table.rows[row].label);
    std::vector<std::vector<SheetBox>>& boxes = all.emplace_back();
    for (size_t column = 0; column < table.columns.size(); ++column) {
      boxes.push_back(boxes_of(table.cells[row][column], table.columns[column], footnotes));
    }
  }
  sheet.rows.resize(all.size());
  const bool with_seeds = seeds_differ(table);
  const std::vector<std::string>& names =
      has_paper_numbers(table) ? kBoxNames : kBoxNamesWithoutPaper;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    for (const size_t box : shown_boxes(all, column, with_seeds)) {
      sheet.headers.push_back({column_title(table.columns[column]), names[box]});
      for (size_t row = 0; row < all.size(); ++row)
        sheet.rows[row].push_back(all[row][column][box]);
    }
  }
  return in_lines(std::move(sheet));
}

// Claims for people: one line each, and below them the basis of the verdicts.

namespace {

size_t count_claims(const std::vector<ClaimResult>& claims, bool (*holds)(const ClaimResult&)) {
  return static_cast<size_t>(std::ranges::count_if(claims, holds));
}

bool waits(const ClaimResult& claim) {
  return claim.incomplete && !claim.unmeasured;
}

/// Even if trials run: a closed gate may be the reason, and is an answer.
bool is_short_of_seeds(const ClaimResult& claim) {
  return claim.plans_too_few && !claim.waits_for_gate;
}

/// Trials that can run here may decide the claim.
bool waits_for_a_verdict(const ClaimResult& claim) {
  return waits(claim) && !is_short_of_seeds(claim) && claim.lacks_data.empty();
}

/// The trials cannot run here.
bool waits_for_data(const ClaimResult& claim) {
  return waits(claim) && !is_short_of_seeds(claim) && !claim.lacks_data.empty();
}

constexpr const char* kAdaptationOnly = "adaptation only";

/// "fails (5 seeds, q 0.012)", "undecided (2 of 5 seeds)".
std::string verdict_text(const ClaimResult& claim) {
  std::vector<std::string> basis;
  if (claim.scope == ClaimScope::heads && claim.seeds > 0) {
    basis.push_back(claim.seeds == 1 ? "heads of one model"
                                     : fmt::format("heads of {} models", claim.seeds));
  } else if (claim.scope == ClaimScope::counts) {
    basis.push_back("counted");
  } else if (claim.seeds > 0) {
    basis.push_back(counted(claim.seeds, "seed"));
  }
  if (claim.q) basis.push_back(fmt::format("q {:.2g}", *claim.q));
  if (claim.adaptation_only && is_decided(claim.verdict)) basis.push_back(kAdaptationOnly);
  const std::string text = to_text(claim.verdict);
  return basis.empty() ? text : fmt::format("{} ({})", text, joined(basis));
}

/// The number of seeds behind the verdicts, if there are any, and the meaning of q.
void note_basis(const std::vector<ClaimResult>& claims, std::vector<SheetNote>& notes) {
  std::set<size_t> seeds;
  for (const ClaimResult& claim : claims) {
    if (claim.scope == ClaimScope::seeds && is_decided(claim.verdict) && claim.seeds > 0)
      seeds.insert(claim.seeds);
  }
  if (!seeds.empty()) {
    const size_t least = *seeds.begin(), most = *seeds.rbegin();
    notes.push_back(
        {fmt::format("verdicts rest on {}{}", least < most ? fmt::format("{} to ", least) : "",
                     counted(most, "seed"))});
  }
  const auto has_q = [](const ClaimResult& claim) {
    return is_decided(claim.verdict) && claim.q.has_value();
  };
  if (std::ranges::any_of(claims, has_q)) {
    notes.push_back(
        {"among verdicts with q at most 0.05, at most 5 % are expected to be false, if the tests "
         "are independent or depend on each other positively"});
  }
}

void note_gaps(const std::vector<ClaimResult>& claims, std::vector<SheetNote>& notes) {
  std::set<std::string> commands, lacks_data, to_bring;
  std::set<SheetNote> on_request;
  for (const ClaimResult& claim : claims) {
    if (!waits(claim)) continue;
    if (waits_for_a_verdict(claim)) {
      if (!claim.run_with.empty()) commands.insert(claim.run_with);
      to_bring.insert(claim.to_bring.begin(), claim.to_bring.end());
    }
    if (waits_for_data(claim)) lacks_data.insert(claim.lacks_data.begin(), claim.lacks_data.end());
    on_request.insert(claim.on_request.begin(), claim.on_request.end());
  }
  const size_t without_data = count_claims(claims, waits_for_data),
               deciding = count_claims(claims, waits_for_a_verdict),
               undecidable = count_claims(claims, waits) - without_data - deciding;
  if (without_data > 0) {
    notes.push_back(
        not_complete(needs_data_note(without_data, claims.size(), "claims", lacks_data)));
  }
  if (deciding > 0) {
    notes.push_back(not_complete(
        {fmt::format("{} of {} claims wait for trials", deciding, claims.size()),
         commands.empty() ? ""
                          : fmt::format("; run them with: {}{}",
                                        joined({commands.begin(), commands.end()}, "; "),
                                        when_downloaded_text(to_bring))}));
  }
  if (undecidable > 0) {
    notes.push_back(
        not_complete({fmt::format("{} of {} claims lack trials, which would decide none of them",
                                  undecidable, claims.size())}));
  }
  const size_t short_of_seeds = count_claims(claims, is_short_of_seeds);
  if (short_of_seeds > 0) {
    notes.push_back({fmt::format(
        "{} of {} claims stay undecided, whatever trials run: fewer seeds are planned than "
        "their next look takes",
        short_of_seeds, claims.size())});
  }
  notes.insert(notes.end(), on_request.begin(), on_request.end());
  std::vector<std::string> unmeasured;
  for (const ClaimResult& claim : claims) {
    if (claim.unmeasured) unmeasured.push_back(claim.name);
  }
  if (!unmeasured.empty()) {
    notes.push_back(
        not_complete({fmt::format("{} of {} claims lack values of trials that are done: {}",
                                  unmeasured.size(), claims.size(), joined(unmeasured)),
                      "; `rethink why` has more"}));
  }
  if (const size_t none =
          count_claims(claims, [](const auto& c) { return c.unmade.has_value(); })) {
    notes.push_back(
        not_complete({fmt::format("{} of {} claims have no table", none, claims.size())}));
  }
}

}  // namespace

std::string verdicts_text(const std::vector<ClaimResult>& claims) {
  constexpr double kSure = 0.05;
  std::vector<ClaimResult> of_seeds, of_heads, of_counts;
  for (const ClaimResult& claim : claims)
    (claim.scope == ClaimScope::seeds   ? of_seeds
     : claim.scope == ClaimScope::heads ? of_heads
                                        : of_counts)
        .push_back(claim);
  const auto number_of = [](const std::vector<ClaimResult>& some, Verdict verdict) {
    return static_cast<size_t>(std::ranges::count(some, verdict, &ClaimResult::verdict));
  };
  const auto text_of = [&](const std::vector<ClaimResult>& some) {
    const size_t smaller = number_of(some, Verdict::holds_smaller),
                 holds = number_of(some, Verdict::holds) + smaller,
                 fails = number_of(some, Verdict::fails),
                 not_here = number_of(some, Verdict::not_at_this_scale),
                 waiting = count_claims(some, waits);
    const auto sure = std::ranges::count_if(some, [&](const ClaimResult& claim) {
      return is_decided(claim.verdict) && claim.q && *claim.q <= kSure;
    });
    std::string text = fmt::format("{} hold{}", holds, holds == 1 ? "s" : "");
    if (smaller > 0) text += fmt::format(" ({} smaller than claimed)", smaller);
    text += fmt::format(", {} fail{}", fails, fails == 1 ? "s" : "");
    const bool is_tested =
        std::ranges::any_of(some, [](const auto& claim) { return claim.q.has_value(); });
    if (holds + fails > 0 && is_tested)
      text += fmt::format(" ({} of these with q at most {})", sure, kSure);
    const auto adapted = std::ranges::count_if(some, [](const ClaimResult& claim) {
      return claim.adaptation_only && is_decided(claim.verdict);
    });
    if (adapted > 0) text += fmt::format(" ({} of these {})", adapted, kAdaptationOnly);
    text += fmt::format(", {} undecided", number_of(some, Verdict::undecided));
    if (waiting > 0)
      text += fmt::format(" ({} wait{} for trials)", waiting, waiting == 1 ? "s" : "");
    if (not_here > 0) text += fmt::format(", {} not at this scale", not_here);
    return text;
  };
  std::vector<std::string> texts = {text_of(of_seeds)};
  if (!of_heads.empty())
    texts.push_back("of the heads of the models at hand: " + text_of(of_heads));
  if (!of_counts.empty()) texts.push_back("counted: " + text_of(of_counts));
  return joined(texts, "; ");
}

namespace {

/// One text per file.
std::vector<std::string> verdicts_of_files(const std::vector<ClaimResult>& claims) {
  std::vector<std::string> files, texts;
  for (const ClaimResult& claim : claims) {
    if (std::ranges::count(files, claim.file) == 0) files.push_back(claim.file);
  }
  for (const std::string& file : files) {
    std::vector<ClaimResult> own;
    for (const ClaimResult& claim : claims) {
      if (claim.file == file) own.push_back(claim);
    }
    texts.push_back((file.empty() ? "" : file + ": ") + verdicts_text(own));
  }
  return texts;
}

}  // namespace

std::string verdicts_by_file(const std::vector<ClaimResult>& claims) {
  return joined(verdicts_of_files(claims), "; ");
}

Sheet make_sheet(const std::vector<ClaimResult>& claims) {
  Sheet sheet;
  sheet.name = "claims";
  sheet.title = "what the papers say, and whether it holds here";
  sheet.headers = {{"", "verdict"}, {"", "claim"},   {"", "why"},   {"", "needs"},
                   {"", "paper"},   {"", "remarks"}, {"", "source"}};
  for (const ClaimResult& claim : claims) {
    SheetBox verdict;
    verdict.text = verdict_text(claim);
    verdict.marked = !is_decided(claim.verdict);
    verdict.best = claim.verdict == Verdict::holds || claim.verdict == Verdict::holds_smaller;
    sheet.labels.push_back(claim.name);
    std::vector<SheetBox>& row = sheet.rows.emplace_back(sheet.headers.size());
    row[0] = verdict;
    row[1].text = claim.says;
    row[2].text = claim.why;
    row[3].text = claim.decides;
    row[4].text = claim.paper;
    row[5].text = claim.remarks;
    row[6].text = claim.source;
  }
  note_basis(claims, sheet.notes);
  note_gaps(claims, sheet.notes);
  for (const std::string& of_file : verdicts_of_files(claims)) sheet.notes.push_back({of_file});
  return in_lines(std::move(sheet));
}

}  // namespace rethink
