#include "app/driver/looks_on_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "core/clock.h"
#include "core/counted.h"
#include "core/error.h"
#include "core/store_file.h"
#include "results/look_record.h"

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
      is_kept_(choices.text().empty() && std::filesystem::is_directory(store)) {
  const std::string problem = is_kept_ ? looks_folder_problem(store) : "";
  if (!problem.empty()) throw ConfigError(problem);
}

void LooksOnRecord::bring(ClaimSpec& claim) const {
  if (!is_kept_) return;
  const Json rule = rule_of(claim, gates_);
  for (const Look& look : claim.looks) {
    const std::optional<LookRecord> record = read_look(store_, name_of(claim, look));
    if (!record || record->rule != rule) continue;
    if (const std::optional<Verdict> verdict = verdict_named(record->verdict))
      claim.recorded[look.seeds] = {*verdict, day_of(record->at)};
  }
}

void LooksOnRecord::keep(const ClaimSpec& claim, ClaimResult& result) {
  if (!is_kept_) return;
  const Json rule = rule_of(claim, gates_);
  for (const Look& look : claim.looks) {
    const auto taken = std::ranges::find_if(
        result.looks, [&](const LookResult& one) { return one.look.seeds == look.seeds; });
    const bool is_taken = taken != result.looks.end() && result.judgement;
    if (is_taken && claim.recorded.contains(look.seeds)) continue;
    const std::optional<LookRecord> record = read_look(store_, name_of(claim, look));
    if (!record) {
      if (is_taken)
        add({name_of(claim, look), to_text(taken->verdict), wall_time(), rule, numbers_of(*taken)});
      continue;
    }
    const std::string then =
        fmt::format("the look at {} of {} said '{}'", counted(look.seeds, "seed"),
                    day_of(record->at), record->verdict);
    remark(result, record->rule == rule ? then
                                        : fmt::format("{} by another rule ({})", then,
                                                      changed_members(record->rule, rule)));
  }
}

LookName LooksOnRecord::name_of(const ClaimSpec& claim, const Look& look) const {
  return {claims_, claim.name, profile_, static_cast<int64_t>(look.seeds)};
}

void LooksOnRecord::add(const LookRecord& record) {
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
