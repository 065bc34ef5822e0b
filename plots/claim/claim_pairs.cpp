#include "plots/claim/claim_pairs.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/message.h"
#include "plots/claim/claim_looks.h"
#include "plots/claim/claim_text.h"
#include "plots/table/cells/artifact_fault.h"
#include "plots/table/cells/paired_samples.h"

namespace rethink {
namespace {

constexpr const char* kMissingTrials = "the trials that are missing";

/// Faults of the artifacts of `rows`, each with its row: "DAMs: the mask has no place".
struct Faults {
  std::vector<std::string> texts;
  std::string decides;  // the required fix
};
void add_faults(const ClaimSpec& claim, const Table& table, size_t column,
                const std::vector<std::string>& rows, Faults& faults) {
  std::vector<std::string> texts;
  for (const std::string& row : rows) {
    for (const Mark& mark : table.cells[find_row(claim, table, row)][column].marks) {
      if (!mark.fault) continue;
      texts.push_back(row + ": " + mark.text);
      faults.decides = mark.fault->decides;
    }
  }
  const std::string text = joined(texts, "; ");
  // The faults of two columns of one row, or of two rows with one trial, are equal.
  if (!text.empty() && std::ranges::count(faults.texts, text) == 0) faults.texts.push_back(text);
}

/// Paired numbers of two cells.
struct Pairs {
  PairedSamples samples;
  size_t seeds = 0;
  std::string text;  // "24 heads of 2 seeds"

  size_t count() const { return samples.a.size(); }
};

/// Pairs for the seeds of `seeds` that both cells have.
Pairs pairs_over_seeds(const MeasuredCell& a, const MeasuredCell& b,
                       const std::vector<int64_t>& seeds) {
  Pairs pairs{.samples = pair_samples(a, b, seeds), .text = ""};
  pairs.seeds = pairs.count();
  pairs.text = counted(pairs.seeds, "seed");
  return pairs;
}

Pairs pairs_over_heads(const MeasuredCell& a, const MeasuredCell& b) {
  Pairs pairs;
  for (const auto& [seed, heads] : a.heads) {
    const auto others = b.heads.find(seed);
    if (others == b.heads.end() || others->second.size() != heads.size()) continue;
    ++pairs.seeds;
    pairs.samples.a.insert(pairs.samples.a.end(), heads.begin(), heads.end());
    pairs.samples.b.insert(pairs.samples.b.end(), others->second.begin(), others->second.end());
  }
  pairs.text =
      fmt::format("{} of {}", counted(pairs.count(), "head"), counted(pairs.seeds, "seed"));
  return pairs;
}

/// The means of the pairs and their difference, with the interval of `judgement` if there is one.
/// Requires at least one pair.
Comparison compare(const Pairs& pairs, double sign, const std::optional<Judgement>& judgement) {
  const std::vector<double> gains = pairs.samples.gains(sign);
  Comparison comparison{.row = mean(pairs.samples.a),
                        .than = mean(pairs.samples.b),
                        .gain = mean(gains),
                        .over = pairs.text};
  if (!vary(std::vector<double>{0, comparison.gain}, pairs.samples.size())) comparison.gain = 0;
  if (vary(gains, pairs.samples.size()))
    comparison.deviation = standard_deviation(gains).value_or(0);
  if (judgement) {
    comparison.interval = judgement->interval;
    comparison.level = judgement->level;
    comparison.p = judgement->p;
  }
  return comparison;
}

/// A copy of `row` with the claim's number for each head; missing values are attributed to the row.
MeasuredCell constant_cell(MeasuredCell row, double value) {
  row.marks.clear();
  for (auto& [seed, heads] : row.heads) std::ranges::fill(heads, value);
  return row;
}

std::vector<size_t> find_rows(const ClaimSpec& claim, const Table& table,
                              const std::vector<std::string>& names) {
  std::vector<size_t> rows;
  for (const std::string& name : names) rows.push_back(find_row(claim, table, name));
  return rows;
}

/// Both cells, and the comparison that decides between them.
class PairOfRows {
 public:
  PairOfRows(const ClaimSpec& claim, const Table& table, size_t column, ItemGains* items,
             const Bounds& bounds)
      : claim_(claim),
        table_(table),
        column_(column),
        other_(other_column(claim, table, column)),
        row_(cell_of(claim, table, claim.row, column)),
        than_(claim.than_value ? constant_cell(row_, *claim.than_value)
                               : cell_of(claim, table, claim.than, other_)),
        names_(side_names(claim, table, column, other_)),
        items_(items),
        bounds_(bounds),
        sign_(claim_direction(claim, table, column) == Direction::min ? -1 : 1) {}

  /// `against`: why the rows cannot be compared; empty if they can. Recorded looks keep their
  /// verdict in either case.
  void judge(const std::string& against, ClaimResult& result) {
    if (row_.has(MarkKind::not_planned) || than_.has(MarkKind::not_planned)) {
      const std::string why = left_out();
      if (claim_.recorded.empty()) return leave_out(why, result);
      return judge_seeds({why, "its rows in the plan"}, result);
    }
    if (!against.empty()) {
      const bool lacks_values = row_.incomplete() || than_.incomplete();
      judge_seeds(
          {against, lacks_values ? kMissingTrials : "rows that are comparable", lacks_values},
          result);
      result.incomplete = lacks_values && !is_decided(result.verdict);
      return;
    }
    Faults faults;
    add_faults(claim_, table_, column_, claim_.row, faults);
    add_faults(claim_, table_, other_, claim_.than, faults);
    if (!faults.texts.empty())
      return judge_seeds({joined(faults.texts, ", "), faults.decides}, result);
    if (claim_.over_heads)
      judge_heads(result);
    else if (!judge_counts(result))
      judge_seeds({}, result);
    if (result.incomplete && !row_.waits() && !than_.waits()) result.unmeasured = true;
  }

 private:
  void judge_heads(ClaimResult& result) const {
    result.scope = ClaimScope::heads;
    result.incomplete = row_.incomplete() || than_.incomplete();
    result.decides = decides_over_heads(result.incomplete);
    const std::set<int64_t> seeds = planned();
    result.awaits.assign(seeds.begin(), seeds.end());
    const Pairs pairs = pairs_over_heads(row_, than_);
    if (pairs.count() < 2) {
      result.why = lacks();
      if (result.why.empty()) {
        result.why = fmt::format("needs 2 heads that both have; there {} {}",
                                 pairs.count() == 1 ? "is" : "are", pairs.count());
      }
      return;
    }
    result.judgement = judged(pairs, kAlpha);
    result.seeds = pairs.seeds;
    result.planned_seeds = planned().size();
    if (result.judgement && !result.incomplete) result.verdict = result.judgement->verdict;
    if (!result.judgement && !result.incomplete)
      result.decides = "heads that differ: it is equal in each of these";
    result.why = numbers_text(pairs, result.judgement, kAlpha);
    if (const std::string lack = lacks(); result.judgement && !lack.empty())
      result.why += "; " + lack;
  }

  /// Seeds that are left out of each side, in its own column.
  std::string left_out() const {
    const auto of = [&](const std::vector<std::string>& names, size_t column) {
      const std::vector<size_t> rows = find_rows(claim_, table_, names);
      return left_out_text(table_, {rows.begin(), rows.end()}, {column});
    };
    if (column_ != other_) {
      const std::string row = of(claim_.row, column_);
      return row.empty() ? of(claim_.than, other_) : row;
    }
    std::vector<std::string> both = claim_.row;
    both.insert(both.end(), claim_.than.begin(), claim_.than.end());
    return of(both, column_);
  }

  std::set<int64_t> planned() const { return seeds_planned_by_all({&row_, &than_}); }

  /// A count that is equal for all seeds, such as parameters, needs only one seed. Returns false if
  /// it is not a count.
  bool judge_counts(ClaimResult& result) const {
    const bool is_fact = row_.kind == CellKind::fact;
    if (!is_fact && row_.kind != CellKind::measurement) return false;
    const Pairs pairs =
        pairs_over_seeds(row_, than_, {row_.planned_seeds.begin(), row_.planned_seeds.end()});
    const std::vector<double> gains = pairs.samples.gains(sign_);
    if (gains.size() < (is_fact ? 1 : 2) || vary(gains, pairs.samples.size())) return false;
    result.scope = ClaimScope::counts;
    result.seeds = pairs.seeds;
    result.planned_seeds = planned().size();
    result.verdict = verdict_of({gains.front(), gains.front()}, bounds_);
    result.why = comparison_text(claim_, names_, compare(pairs, sign_, std::nullopt)) +
                 ", counted and equal for all seeds";
    return true;
  }

  /// `against`: reasons for all seeds; empty if the rows can be compared.
  void judge_seeds(const UndecidedReason& against, ClaimResult& result) {
    SeedValues values;
    values.planned = planned();
    values.has_value = [&](int64_t seed) {
      return pairs_over_seeds(row_, than_, {seed}).count() == 1;
    };
    values.against = [&](const std::vector<int64_t>& seeds) -> UndecidedReason {
      if (!against.why.empty()) return against;
      std::vector<std::string> texts = {diverged_text(row_, joined(claim_.row), seeds),
                                        diverged_text(than_, joined(claim_.than), seeds)};
      std::erase(texts, "");
      return {joined(texts, ", "), kNoneDiverges};
    };
    values.judge = [&](const std::vector<int64_t>& seeds, const Look& look) {
      return judge_at(seeds, look.alpha);
    };
    values.describe = [&](const std::vector<int64_t>& seeds) {
      const Pairs pairs = pairs_over_seeds(row_, than_, seeds);
      if (pairs.count() > 0) return numbers_text(pairs, std::nullopt, 0);
      const std::string lack = lacks();
      return lack.empty() ? "no seed has values of both" : lack;
    };
    take_looks(claim_, values, result);
  }

  /// Nothing if the pairs have no spread.
  std::optional<Judgement> judged(const Pairs& pairs, double alpha) const {
    std::optional<Judgement> judgement =
        judge_gains(pairs.samples.gains(sign_), pairs.samples.size(), bounds_, alpha);
    if (!judgement) return judgement;
    const Comparison comparison = compare(pairs, sign_, judgement);
    judgement->numbers.row = comparison.row;
    judgement->numbers.than = comparison.than;
    judgement->numbers.deviation = comparison.deviation;
    return judgement;
  }

  /// Requires that both have values of all `seeds`.
  SeedsResult judge_at(const std::vector<int64_t>& seeds, double alpha) const {
    const Pairs pairs = pairs_over_seeds(row_, than_, seeds);
    SeedsResult say;
    say.judgement = judged(pairs, alpha);
    say.why = numbers_text(pairs, say.judgement, alpha);
    if (!say.judgement) {
      say.decides = "seeds that differ in it";
      return say;
    }
    if (!items_ || column_ != other_ || !items_->is_task_score(column_)) {
      if (!is_decided(say.judgement->verdict)) say.decides = deciding_seeds(pairs, *say.judgement);
      return say;
    }
    judge_items(seeds, pairs, alpha, say);
    return say;
  }

  /// Adds the test over items of the split: both tests must give the same verdict. Without an
  /// interval over items, there is no verdict.
  void judge_items(const std::vector<int64_t>& seeds, const Pairs& pairs, double alpha,
                   SeedsResult& say) const {
    const ItemGains::Gain gain =
        items_->gain(find_rows(claim_, table_, claim_.row), find_rows(claim_, table_, claim_.than),
                     column_, seeds, sign_);
    if (gain.resamples.empty()) {
      say.judgement.reset();
      say.why = numbers_text(pairs, std::nullopt, alpha) +
                "; undecided without an interval over items: " + gain.problem;
      say.decides = "predictions of all its trials";
      say.lacks = true;
      return;
    }
    Judgement& of_seeds = *say.judgement;
    const Judgement of_items = judge_resamples(gain.resamples, bounds_, alpha);
    say.why +=
        fmt::format("; over items {}", interval_text(claim_, *of_items.interval, of_items.level));
    const bool seeds_decide = is_decided(of_seeds.verdict),
               items_decide = is_decided(of_items.verdict);
    std::vector<std::string> needs;
    if (!seeds_decide) needs.push_back(deciding_seeds(pairs, of_seeds));
    if (!items_decide) {
      needs.emplace_back("more items in the split");
      say.why += ", undecided";
    }
    const bool is_same =
        (of_seeds.verdict == Verdict::fails) == (of_items.verdict == Verdict::fails);
    if (seeds_decide && items_decide && !is_same) {
      needs.emplace_back("items that agree with the seeds");
      say.why += fmt::format(", {}", to_text(of_items.verdict));
    }
    say.decides = joined(needs, ", and ");
    if (!needs.empty()) {
      of_seeds.verdict = Verdict::undecided;
      // Only one of them says that the effect is smaller than claimed.
    } else if (of_seeds.verdict != of_items.verdict) {
      of_seeds.verdict = Verdict::holds;
    }
    of_seeds.numbers.seeds_p = of_seeds.p;
    of_seeds.numbers.items_p = of_items.p;
    of_seeds.numbers.items = of_items.interval;
    of_seeds.p = std::max(of_seeds.p, of_items.p);
  }

  /// The number of seeds for which the interval is no wider than the smallest effect of interest,
  /// so that every mean decides; for a test with one bound, the number for which the interval ends
  /// before that bound if the mean stays.
  std::string deciding_seeds(const Pairs& pairs, const Judgement& judgement) const {
    const std::vector<double> gains = pairs.samples.gains(sign_);
    const double deviation = standard_deviation(gains).value_or(0);
    const bool by_width = claim_.test->has_smallest && bounds_.smallest > 0;
    const double gain = claim_.test->is_within ? std::abs(judgement.gain) : -judgement.gain;
    const double width = by_width ? bounds_.smallest : 2 * std::abs(gain - bounds_.margin);
    const auto seeds = seeds_for_width(deviation, width, judgement.level);
    if (!seeds) return fmt::format("more than {} seeds", kMostSeedsForWidth);
    return fmt::format("about {} seeds, by the {} of these", *seeds,
                       by_width ? "deviation" : "mean and deviation");
  }

  /// "'a' 1, 'b' 2: as the claim has it by 1 (...)", with the missing values if these prevent a
  /// verdict.
  std::string numbers_text(const Pairs& pairs, const std::optional<Judgement>& judgement,
                           double alpha) const {
    Comparison comparison = compare(pairs, sign_, judgement);
    comparison.alpha = alpha;
    if (claim_.test->has_smallest) comparison.smallest = bounds_.smallest;
    std::string text = comparison_text(claim_, names_, comparison);
    if (judgement) return text;
    const bool are_equal = pairs.count() > 1 && comparison.deviation == 0;
    text += are_equal
                ? fmt::format(" for each of {}: without a spread there is no interval", pairs.text)
                : " over " + pairs.text;
    const std::string lack = lacks();
    return lack.empty() ? text : text + "; " + lack;
  }

  /// The values that done trials lack.
  std::string lacks() const {
    MissingValues all;
    take_lack(row_, names_.row, all);
    take_lack(than_, names_.than, all);
    return lacks_text(all);
  }

  const ClaimSpec& claim_;
  const Table& table_;
  const size_t column_, other_;
  const MeasuredCell row_, than_;
  const SideNames names_;
  ItemGains* const items_;
  const Bounds bounds_;
  const double sign_;
};

}  // namespace

Direction claim_direction(const ClaimSpec& claim, const Table& table, size_t column) {
  return claim.direction == Direction::unknown ? table.columns[column].direction : claim.direction;
}

void leave_out(const std::string& why, ClaimResult& result) {
  result.verdict = Verdict::not_at_this_scale;
  result.why = why;
}

std::string decides_over_heads(bool is_incomplete) {
  return is_incomplete ? kMissingTrials : "other models: all heads of these are counted";
}

std::string diverged_text(const MeasuredCell& cell, const std::string& row,
                          const std::vector<int64_t>& seeds) {
  const std::vector<int64_t> diverged_seeds = cell.diverged();
  const auto diverged = std::ranges::count_if(
      seeds, [&](int64_t seed) { return std::ranges::count(diverged_seeds, seed) > 0; });
  if (diverged == 0) return "";
  return fmt::format("{} of {} of {} diverged", diverged, counted(seeds.size(), "seed"), row);
}

void take_lack(const MeasuredCell& cell, const std::string& name, MissingValues& lacks) {
  for (const Mark& mark : cell.marks) {
    if (mark.kind == MarkKind::no_value || mark.kind == MarkKind::not_imported ||
        mark.kind == MarkKind::damaged || mark.kind == MarkKind::not_applicable)
      lacks[mark.text].push_back(name);
  }
}

std::string lacks_text(const MissingValues& lacks) {
  std::vector<std::string> texts;
  for (const auto& [text, names] : lacks) texts.push_back(joined(names) + ": " + text);
  return joined(texts, "; ");
}

PaperComparison paper_comparison(const ClaimSpec& spec, const Table& table, size_t column) {
  const Comparable compared = comparable(spec, table, Numbers::papers);
  const ClaimSpec& claim = compared.claim;
  const std::optional<double> row = paper_mean(claim, table, claim.row, column),
                              than = claim.than_value
                                         ? claim.than_value
                                         : paper_mean(claim, table, claim.than,
                                                      other_column(claim, table, column));
  if (!row || !than) return {};
  if (!compared.against.empty()) return {std::nullopt, compared.against};
  const double gain =
      (claim_direction(claim, table, column) == Direction::min ? -1 : 1) * (*row - *than);
  const Comparison comparison{.row = *row, .than = *than, .gain = gain};
  return {gain, compared.chosen + comparison_text(claim, std::nullopt, comparison)};
}

void judge_pair(const Comparable& compared, const Table& table, size_t column, ItemGains* items,
                ClaimResult& result) {
  const ClaimSpec& claim = compared.claim;
  const Bounds bounds{.test = claim.test, .margin = claim.margin, .smallest = result.smallest};
  PairOfRows(claim, table, column, items, bounds).judge(compared.against, result);
}

}  // namespace rethink
