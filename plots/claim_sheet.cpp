// Claims for people: a line each, and below them what their verdicts rest on.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/counted.h"
#include "plots/sheet.h"

namespace rethink {
namespace {

size_t count_claims(const std::vector<ClaimResult>& claims, bool (*holds)(const ClaimResult&)) {
  return static_cast<size_t>(std::ranges::count_if(claims, holds));
}

bool waits(const ClaimResult& claim) {
  return claim.incomplete && !claim.unmeasured;
}

/// "fails (2 seeds, 3 wanted)" where fewer than wanted decided it.
std::string verdict_text(const ClaimResult& claim) {
  const std::string verdict = to_text(claim.verdict);
  if (claim.verdict == Verdict::undecided || claim.seeds >= claim.wanted_seeds) return verdict;
  return fmt::format("{} ({}, {} wanted)", verdict, counted(claim.seeds, "seed"),
                     claim.wanted_seeds);
}

/// How many seeds there were, and that each claim stands for itself; empty without an interval.
std::string basis_text(const std::vector<ClaimResult>& claims) {
  std::set<size_t> seeds;
  for (const ClaimResult& claim : claims) {
    if (claim.seeds > 0) seeds.insert(claim.seeds);
  }
  if (seeds.empty()) return "";
  const size_t least = *seeds.begin(), most = *seeds.rbegin();
  return fmt::format(
      "verdicts rest on {}{}, each on a 95% interval of its own; nothing is corrected for "
      "the number of claims",
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
  const size_t holds =
      count_claims(claims, [](const auto& c) { return c.verdict == Verdict::holds; });
  const size_t fails =
      count_claims(claims, [](const auto& c) { return c.verdict == Verdict::fails; });
  const size_t waiting = count_claims(claims, waits);
  std::string text = fmt::format("{} hold{}, {} fail{}, {} undecided", holds, holds == 1 ? "s" : "",
                                 fails, fails == 1 ? "s" : "", claims.size() - holds - fails);
  if (waiting > 0) text += fmt::format(" ({} wait{} for trials)", waiting, waiting == 1 ? "s" : "");
  return text;
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
  sheet.headers = {{"", "verdict"}, {"", "claim"},   {"", "why"},
                   {"", "paper"},   {"", "remarks"}, {"", "source"}};
  for (const ClaimResult& claim : claims) {
    SheetBox verdict;
    verdict.text = verdict_text(claim);
    verdict.marked = claim.verdict == Verdict::undecided;
    verdict.best = claim.verdict == Verdict::holds;
    sheet.labels.push_back(claim.name);
    std::vector<SheetBox>& row = sheet.rows.emplace_back(sheet.headers.size());
    row[0] = verdict;
    row[1].text = claim.says;
    row[2].text = claim.why;
    row[3].text = claim.paper;
    row[4].text = claim.remarks;
    row[5].text = claim.source;
  }
  if (const std::string basis = basis_text(claims); !basis.empty()) sheet.notes.push_back(basis);
  note_gaps(claims, sheet.notes);
  if (!claims.empty()) sheet.notes.push_back(verdicts_by_file(claims));
  return in_lines(std::move(sheet));
}

}  // namespace rethink
