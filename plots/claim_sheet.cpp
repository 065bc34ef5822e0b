// Claims for people: a line each, and below them what their verdicts rest on.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/counted.h"
#include "plots/render/sheet.h"

namespace rethink {
namespace {

size_t count_claims(const std::vector<ClaimResult>& claims, bool (*holds)(const ClaimResult&)) {
  return static_cast<size_t>(std::ranges::count_if(claims, holds));
}

bool waits(const ClaimResult& claim) {
  return claim.incomplete && !claim.unmeasured;
}

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
  const std::string text = to_text(claim.verdict);
  return basis.empty() ? text : fmt::format("{} ({})", text, joined(basis));
}

/// What the verdicts rest on; empty where no claim was looked at.
std::string basis_text(const std::vector<ClaimResult>& claims) {
  std::set<size_t> seeds;
  for (const ClaimResult& claim : claims) {
    if (claim.scope == ClaimScope::seeds && claim.seeds > 0) seeds.insert(claim.seeds);
  }
  if (seeds.empty()) return "";
  const size_t least = *seeds.begin(), most = *seeds.rbegin();
  return fmt::format(
      "verdicts rest on {}{}; q is the rate of false ones among as sure verdicts of the same file "
      "(Benjamini and Hochberg)",
      least < most ? fmt::format("{} to ", least) : "", counted(most, "seed"));
}

void note_gaps(const std::vector<ClaimResult>& claims, std::vector<std::string>& notes) {
  std::set<std::string> commands, on_request;
  for (const ClaimResult& claim : claims) {
    if (!waits(claim)) continue;
    commands.insert(claim.run_with);
    on_request.insert(claim.on_request.begin(), claim.on_request.end());
  }
  if (const size_t waiting = count_claims(claims, waits)) {
    notes.push_back(fmt::format("NOT COMPLETE: {} of {} claims wait for trials; run them with: {}",
                                waiting, claims.size(),
                                joined({commands.begin(), commands.end()}, "; ")));
  }
  const size_t short_of_seeds = count_claims(claims, [](const auto& c) { return c.plans_too_few; });
  if (short_of_seeds > 0) {
    notes.push_back(
        fmt::format("{} of {} claims stay undecided however much runs: their sweeps plan fewer "
                    "seeds under this profile than a "
                    "look takes",
                    short_of_seeds, claims.size()));
  }
  notes.insert(notes.end(), on_request.begin(), on_request.end());
  if (const size_t unmeasured = count_claims(claims, [](const auto& c) { return c.unmeasured; })) {
    notes.push_back(fmt::format("NOT COMPLETE: {} of {} claims lack values that no trial has yet",
                                unmeasured, claims.size()));
  }
  if (const size_t none = count_claims(claims, [](const auto& c) { return !c.no_table.empty(); })) {
    notes.push_back(
        fmt::format("NOT COMPLETE: {} of {} claims have no table", none, claims.size()));
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

std::string verdicts_by_file(const std::vector<ClaimResult>& claims) {
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
  return joined(texts, "; ");
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
  if (const std::string basis = basis_text(claims); !basis.empty()) sheet.notes.push_back(basis);
  note_gaps(claims, sheet.notes);
  if (!claims.empty()) sheet.notes.push_back(verdicts_by_file(claims));
  return in_lines(std::move(sheet));
}

}  // namespace rethink
