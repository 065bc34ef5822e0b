#include "app/driver/show/tested_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "core/clock.h"
#include "core/counted.h"
#include "core/error.h"
#include "plots/claim/claim_text.h"
#include "results/folders/look_record.h"

namespace rethink {
namespace {

/// The day of a moment as wall_time() has it.
std::string day_of(const std::string& moment) {
  return moment.substr(0, moment.find('T'));
}

Json numbers_of(const LookResult& look) {
  Json numbers{{"gain", look.judgement.gain}, {"alpha", look.look.alpha}, {"p", look.judgement.p}};
  if (const auto& interval = look.judgement.interval) {
    numbers["low"] = interval->low;
    numbers["high"] = interval->high;
    numbers["level"] = look.judgement.level;
  }
  return numbers;
}

/// Nothing where another version of rethink wrote it.
std::optional<Judgement> judgement_of(const LookRecord& record) {
  const std::optional<Verdict> verdict = verdict_named(record.verdict);
  const Json& numbers = record.numbers;
  if (!verdict || !numbers.contains("gain") || !numbers.contains("p")) return std::nullopt;
  Judgement judgement{.verdict = *verdict, .gain = numbers.at("gain"), .p = numbers.at("p")};
  if (numbers.contains("low")) {
    judgement.interval = Interval{numbers.at("low"), numbers.at("high")};
    judgement.level = numbers.at("level");
  }
  return judgement;
}

/// Of a look before the last one, whose text nobody printed.
std::string numbers_text(const ClaimSpec& claim, const Judgement& judgement) {
  const auto& interval = judgement.interval;
  return fmt::format("{:.3g} as the claim has it (p {:.2g}{})", judgement.gain, judgement.p,
                     interval ? ", " + interval_text(claim, *interval, judgement.level) : "");
}

/// "smallest, looks": the members of a rule that are others now.
std::string changed_members(const Json& then, const Json& now) {
  std::vector<std::string> members;
  for (const auto& [member, value] : now.items()) {
    if (then.value(member, Json()) != value) members.push_back(member);
  }
  return joined(members);
}

void remark(ClaimResult& result, const std::string& text) {
  result.remarks += (result.remarks.empty() ? "" : "; ") + text;
}

}  // namespace

LooksOnRecord::LooksOnRecord(const std::filesystem::path& store, const ClaimsSpec& spec,
                             std::string claims, const PlanChoices& choices)
    : store_(store),
      gates_(spec.gates),
      claims_(std::move(claims)),
      profile_(choices.profile),
      has_records_(std::filesystem::is_directory(store)),
      is_kept_(has_records_ && choices.text().empty()) {
  const std::string problem = has_records_ ? looks_folder_problem(store) : "";
  if (!problem.empty()) throw ConfigError(problem);
  if (has_records_) before_ = looks_by_claim(store, claims_);
}

void LooksOnRecord::bring(ClaimSpec& claim) const {
  if (!is_kept_) return;
  const Json rule = rule_of(claim, gates_);
  for (const Look& look : claim.looks) {
    const std::optional<LookRecord> record = read_look(store_, name_of(claim, look));
    if (!record || record->rule != rule) continue;
    if (const std::optional<Judgement> judgement = judgement_of(*record))
      claim.recorded[look.seeds] = {*judgement, record->why, day_of(record->at)};
  }
}

void LooksOnRecord::keep(const ClaimSpec& claim, ClaimResult& result) {
  if (!has_records_ || claim.looks.empty()) return;
  const Json rule = rule_of(claim, gates_);
  for (const LookRecord& record : before_[claim.name]) remark_on(record, claim, rule, result);
  if (is_kept_ && result.judgement) add_new(claim, rule, result);
}

LookName LooksOnRecord::name_of(const ClaimSpec& claim, const Look& look) const {
  return {claims_, claim.name, profile_, static_cast<int64_t>(look.seeds)};
}

void LooksOnRecord::add_new(const ClaimSpec& claim, const Json& rule, const ClaimResult& result) {
  for (const LookResult& taken : result.looks) {
    if (claim.recorded.contains(taken.look.seeds)) continue;
    const bool is_last = taken.look.seeds == result.looks.back().look.seeds;
    write({name_of(claim, taken.look), to_text(taken.judgement.verdict), wall_time(), rule,
           numbers_of(taken), is_last ? result.why : numbers_text(claim, taken.judgement),
           taken.trials});
  }
}

void LooksOnRecord::remark_on(const LookRecord& record, const ClaimSpec& claim, const Json& rule,
                              ClaimResult& result) const {
  const auto seeds = static_cast<size_t>(record.look.seeds);
  std::string then = fmt::format("the look at {} of {}", counted(seeds, "seed"), day_of(record.at));
  const bool is_of_profile = record.look.profile == profile_;
  if (!is_of_profile)
    then += record.look.profile.empty() ? " without a profile"
                                        : " under profile " + record.look.profile;
  then += fmt::format(" said '{}'", record.verdict);
  if (!is_of_profile) return remark(result, then);
  if (!is_kept_) return remark(result, then + "; looks with other choices are not recorded");
  if (record.rule != rule)
    return remark(result,
                  fmt::format("{} by another rule ({})", then, changed_members(record.rule, rule)));
  const auto taken = std::ranges::find_if(
      result.looks, [&](const LookResult& one) { return one.look.seeds == seeds; });
  if (taken == result.looks.end()) return remark(result, then);
  if (claim.recorded.contains(seeds) && taken->trials != record.trials)
    remark(result, then + " of other trials: the table, its sweep or the profile has changed");
}

void LooksOnRecord::write(const LookRecord& record) {
  if (is_refused_) return;
  try {
    record_look(store_, record);
  } catch (const DiskFullError&) {
    throw;
  } catch (const MachineError& error) {
    is_refused_ = true;
    std::cerr << fmt::format("looks at claims of {} are not recorded: {}\n", claims_, error.what());
  }
}

}  // namespace rethink
