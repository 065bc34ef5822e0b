#include "app/driver/show/tables/tested_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "app/driver/cli/named_files.h"
#include "app/driver/show/tables/table_view.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/message.h"
#include "core/system/machine_fault.h"
#include "experiments/plan/plan.h"
#include "experiments/plan/read/library.h"
#include "plots/claim/claim_cells.h"
#include "plots/claim/claim_text.h"
#include "plots/table/cells/item_test.h"
#include "plots/table/notes.h"
#include "results/folders/look_record.h"

namespace rethink {
namespace {

/// The date part of a time in the form of wall_time().
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
  const JudgedNumbers& judged = look.judgement.numbers;
  if (judged.deviation)
    numbers.update({{"row", *judged.row}, {"than", *judged.than}, {"sd", *judged.deviation}});
  if (judged.items) {
    numbers.update({{"items_low", judged.items->low},
                    {"items_high", judged.items->high},
                    {"items_p", *judged.items_p},
                    {"seeds_p", *judged.seeds_p}});
  }
  return numbers;
}

/// Nothing if another version of rethink wrote the record.
std::optional<Judgement> judgement_of(const LookRecord& record) {
  const std::optional<Verdict> verdict = verdict_named(record.verdict);
  const Json& numbers = record.numbers;
  if (!verdict || !numbers.contains("gain") || !numbers.contains("p")) return std::nullopt;
  Judgement judgement{.verdict = *verdict, .gain = numbers.at("gain"), .p = numbers.at("p")};
  if (numbers.contains("low")) {
    judgement.interval = Interval{numbers.at("low"), numbers.at("high")};
    judgement.level = numbers.at("level");
  }
  const auto number = [&](const char* name) -> std::optional<double> {
    if (!numbers.contains(name)) return std::nullopt;
    return numbers.at(name).get<double>();
  };
  judgement.numbers.row = number("row");
  judgement.numbers.than = number("than");
  judgement.numbers.deviation = number("sd");
  judgement.numbers.items_p = number("items_p");
  judgement.numbers.seeds_p = number("seeds_p");
  if (numbers.contains("items_low"))
    judgement.numbers.items = Interval{numbers.at("items_low"), numbers.at("items_high")};
  return judgement;
}

Json numbers_of(const GateNumbers& gate) {
  Json numbers{{"gain", gate.gain}};
  if (gate.interval) numbers.update({{"low", gate.interval->low}, {"high", gate.interval->high}});
  if (gate.constant) numbers.update({{"score", *gate.score}, {"constant", *gate.constant}});
  return numbers;
}

/// Nothing if another version of rethink wrote the record.
std::optional<GateNumbers> gate_numbers_of(const Json& numbers) {
  if (!numbers.contains("gain")) return std::nullopt;
  GateNumbers gate{.gain = numbers.at("gain")};
  if (numbers.contains("low")) gate.interval = Interval{numbers.at("low"), numbers.at("high")};
  if (numbers.contains("constant")) {
    gate.score = numbers.at("score");
    gate.constant = numbers.at("constant");
  }
  return gate;
}

/// "0.1", "none", "[[5,0.025]]".
std::string text_of_member(const Json& value) {
  if (value.is_null()) return "none";
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// "smallest: 0.1, now 0.2": the changed members of a rule.
std::string changed_members(const Json& then, const Json& now) {
  std::vector<std::string> members;
  for (const auto& [member, value] : now.items()) {
    const Json before = then.value(member, Json());
    if (before != value)
      members.push_back(
          fmt::format("{}: {}, now {}", member, text_of_member(before), text_of_member(value)));
  }
  return joined(members, "; ");
}

/// " under profile small"
std::string under_profile(const std::string& profile) {
  return profile.empty() ? " without a profile" : " under profile " + profile;
}

using LooksByClaim = std::map<std::string, std::vector<LookRecord>>;

/// Reports once on standard error that the store cannot be written.
class LookWriter {
 public:
  explicit LookWriter(const std::filesystem::path& store) : store_(store) {}

  void write(const LookRecord& record) {
    if (is_refused_) return;
    try {
      record_look(store_, record);
    } catch (const DiskFullError&) {
      throw;
    } catch (const MachineError& error) {
      is_refused_ = true;
      std::cerr << fmt::format("looks at claims of {} are not recorded: {}\n", record.look.claims,
                               error.what());
    }
  }

 private:
  const std::filesystem::path& store_;
  bool is_refused_ = false;
};

/// The recorded looks at the claims of one file under one profile: given to the claims before the
/// test, and updated afterwards. Looks with other choices (--set, --seeds), at a snapshot, or at
/// claims without `looks` are not recorded.
class LooksOnRecord {
 public:
  /// `claims`: the name of the file. Throws ConfigError if the store's folder of looks is not
  /// rethink's.
  LooksOnRecord(const std::filesystem::path& store, const ClaimsSpec& spec, std::string claims,
                const PlanChoices& choices, LookWriter& writer);

  /// Gives the recorded looks to the claim before its test. Throws ConfigError if a record is
  /// damaged.
  void bring(ClaimSpec& claim) const;
  /// Called after the test: records new looks, and remarks on looks by other rules, of other trials
  /// or under other profiles. Reports once on standard error if the store cannot be written.
  void keep(const ClaimSpec& claim, ClaimResult& result);

  /// The records before this command.
  const LooksByClaim& before() const { return before_; }

 private:
  LookName name_of(const ClaimSpec& claim, const Json& rule, const Look& look) const;
  void add_new(const ClaimSpec& claim, const Json& rule, ClaimResult& result);
  void remark_on(const LookRecord& record, const ClaimSpec& claim, const Json& rule,
                 ClaimResult& result) const;

  const std::filesystem::path& store_;
  const std::map<std::string, GateSpec>& gates_;
  const std::string claims_, profile_;
  const bool has_records_;  // the folder of records exists
  const bool is_kept_;      // the choices are only the profile's
  LooksByClaim before_;
  LookWriter& writer_;
};

LooksOnRecord::LooksOnRecord(const std::filesystem::path& store, const ClaimsSpec& spec,
                             std::string claims, const PlanChoices& choices, LookWriter& writer)
    : store_(store),
      gates_(spec.gates),
      claims_(std::move(claims)),
      profile_(choices.profile),
      has_records_(std::filesystem::is_directory(store)),
      is_kept_(has_records_ && choices.text().empty()),
      writer_(writer) {
  const std::string problem = has_records_ ? looks_folder_problem(store) : "";
  if (!problem.empty()) throw ConfigError("store-unusable", problem);
  if (has_records_) before_ = looks_by_claim(store, claims_);
}

void LooksOnRecord::bring(ClaimSpec& claim) const {
  if (!is_kept_) return;
  const Json rule = rule_of(claim, gates_);
  for (const Look& look : claim.looks) {
    const std::optional<LookRecord> record = read_look(store_, name_of(claim, rule, look));
    if (!record) continue;
    if (const std::optional<Judgement> judgement = judgement_of(*record))
      claim.recorded[look.seeds] = {*judgement, record->why, record->decides, day_of(record->at)};
  }
}

void LooksOnRecord::keep(const ClaimSpec& claim, ClaimResult& result) {
  if (!has_records_ || claim.looks.empty()) return;
  const Json rule = rule_of(claim, gates_);
  for (const LookRecord& record : before_[claim.name]) remark_on(record, claim, rule, result);
  if (is_kept_ && result.judgement) add_new(claim, rule, result);
}

LookName LooksOnRecord::name_of(const ClaimSpec& claim, const Json& rule, const Look& look) const {
  return {claims_, claim.name, profile_, static_cast<int64_t>(look.seeds), rule};
}

void LooksOnRecord::add_new(const ClaimSpec& claim, const Json& rule, ClaimResult& result) {
  for (LookResult& taken : result.looks) {
    if (claim.recorded.contains(taken.look.seeds)) continue;
    const std::string now = wall_time();
    taken.day = day_of(now);
    writer_.write({name_of(claim, rule, taken.look), to_text(taken.judgement.verdict), now,
                   numbers_of(taken), taken.why, taken.decides, taken.trials});
  }
}

void LooksOnRecord::remark_on(const LookRecord& record, const ClaimSpec& claim, const Json& rule,
                              ClaimResult& result) const {
  const auto seeds = static_cast<size_t>(record.look.seeds);
  std::string then = fmt::format("the look at {} of {}", counted(seeds, "seed"), day_of(record.at));
  const bool applies_to_profile = record.look.profile == profile_;
  if (!applies_to_profile) then += under_profile(record.look.profile);
  then += fmt::format(" said '{}'", record.verdict);
  if (!applies_to_profile) return add_remark(then, result);
  if (!is_kept_) return add_remark(then + "; looks with other choices are not recorded", result);
  if (result.unmade) return add_remark(then, result);
  if (record.look.rule != rule) {
    return add_remark(
        fmt::format("{} by another rule ({})", then, changed_members(record.look.rule, rule)),
        result);
  }
  const auto taken = std::ranges::find_if(
      result.looks, [&](const LookResult& one) { return one.look.seeds == seeds; });
  if (taken == result.looks.end()) return add_remark(then, result);
  if (claim.recorded.contains(seeds) && taken->trials != record.trials)
    add_remark(then + " of other trials: the table, its sweep or the profile has changed", result);
}

/// The same for the gates of claims with `looks`: a gate that passed or closed once keeps that
/// state. A record is a look of the claim "gate NAME on COLUMN".
class GatesOnRecord {
 public:
  /// Like LooksOnRecord. `choices`: for planning the tables of gates; `before`: the records.
  GatesOnRecord(const std::filesystem::path& store, const ClaimsSpec& spec,
                const PlanChoices& choices, LooksByClaim before, LookWriter& writer);

  /// The recorded states of a claim's gate, by column. Throws ConfigError if a record is damaged.
  std::map<std::string, RecordedGate> recorded(const ClaimSpec& claim, const Table& of_gate,
                                               const std::vector<std::string>& columns) const;
  /// Records new states, and remarks on states by other rules or under other profiles.
  void keep(const ClaimSpec& claim, const Table& of_gate, const std::vector<std::string>& columns,
            const GateResult& gate, ClaimResult& result);

 private:
  LookName name_of(const ClaimSpec& claim, const std::string& column, size_t seeds) const;
  /// Whether the record is of this gate with this rule, for any seeds of its pilot, since more
  /// seeds do not change the state.
  static bool is_of(const LookRecord& record, const LookName& name);
  std::string remark_on(const LookRecord& record, const LookName& name) const;

  const std::filesystem::path& store_;
  const ClaimsSpec& spec_;
  const std::string profile_;
  const bool has_records_, is_kept_;  // as of LooksOnRecord
  LooksByClaim before_;
  LookWriter& writer_;
};

GatesOnRecord::GatesOnRecord(const std::filesystem::path& store, const ClaimsSpec& spec,
                             const PlanChoices& choices, LooksByClaim before, LookWriter& writer)
    : store_(store),
      spec_(spec),
      profile_(choices.profile),
      has_records_(std::filesystem::is_directory(store)),
      is_kept_(has_records_ && choices.text().empty()),
      before_(std::move(before)),
      writer_(writer) {}

bool GatesOnRecord::is_of(const LookRecord& record, const LookName& name) {
  return record.look.profile == name.profile && record.look.rule == name.rule;
}

LookName GatesOnRecord::name_of(const ClaimSpec& claim, const std::string& column,
                                size_t seeds) const {
  return {spec_.name, fmt::format("gate {} on {}", claim.gate, column), profile_,
          static_cast<int64_t>(seeds), rule_of(spec_.gates.at(claim.gate), column)};
}

std::map<std::string, RecordedGate> GatesOnRecord::recorded(
    const ClaimSpec& claim, const Table& of_gate, const std::vector<std::string>& columns) const {
  std::map<std::string, RecordedGate> found;
  if (!is_kept_ || claim.looks.empty()) return found;
  for (const std::string& column : columns) {
    const size_t seeds = pilot_seeds(spec_.gates.at(claim.gate), of_gate, column);
    const LookName name = name_of(claim, column, seeds);
    std::optional<LookRecord> first = read_look(store_, name);
    const auto others = before_.find(name.claim);
    if (others != before_.end()) {
      for (const LookRecord& record : others->second) {
        if (is_of(record, name) && (!first || record.at < first->at)) first = record;
      }
    }
    if (!first) continue;
    if (const std::optional<GateNumbers> numbers = gate_numbers_of(first->numbers))
      found[column] = {*numbers, first->trials, day_of(first->at)};
  }
  return found;
}

std::string GatesOnRecord::remark_on(const LookRecord& record, const LookName& name) const {
  const std::string then =
      fmt::format("{} was {} on {}", name.claim, record.verdict, day_of(record.at));
  if (record.look.profile != profile_) return then + under_profile(record.look.profile);
  if (!is_kept_) return then + "; gates with other choices are not recorded";
  if (record.look.rule == name.rule) return "";
  return fmt::format("{} by another rule ({})", then, changed_members(record.look.rule, name.rule));
}

void GatesOnRecord::keep(const ClaimSpec& claim, const Table& of_gate,
                         const std::vector<std::string>& columns, const GateResult& gate,
                         ClaimResult& result) {
  if (!has_records_ || claim.looks.empty()) return;
  for (const std::string& column : columns) {
    const size_t seeds = pilot_seeds(spec_.gates.at(claim.gate), of_gate, column);
    const LookName name = name_of(claim, column, seeds);
    for (const LookRecord& record : before_[name.claim]) {
      const std::string remark = remark_on(record, name);
      if (!remark.empty()) add_remark(remark, result);
    }
    const auto judged = std::ranges::find(gate.columns, column, &GateColumn::column);
    if (!is_kept_ || judged == gate.columns.end()) continue;
    const auto is_of_this = [&](const LookRecord& record) { return is_of(record, name); };
    if (std::ranges::any_of(before_[name.claim], is_of_this)) continue;
    const LookRecord record{name,          to_text(state_of(judged->numbers, 0)),
                            wall_time(),   numbers_of(judged->numbers),
                            judged->why,   "",
                            judged->trials};
    before_[name.claim].push_back(record);
    writer_.write(record);
  }
}

/// Resamples of items for a claim. Even at the small alpha of an early look, dozens of resamples are in each tail.
constexpr size_t kClaimResamples = 4000;

/// Refuses claims on missing tables, at the position in their file.
void check_tables(const ClaimsSpec& spec, const std::vector<std::filesystem::path>& paths) {
  Problems problems;
  const auto check = [&](const std::string& table, const Position& at) {
    try {
      Library("tables", paths).file(table);
    } catch (const ConfigError& error) {
      problems.add(at, "unusable-table", fmt::format("table: {}", error.what()));
    }
  };
  for (const auto& [name, gate] : spec.gates) check(gate.table, gate.table_at);
  for (const ClaimSpec& claim : spec.claims) check(claim.table, claim.table_at);
  problems.throw_if_any();
}

/// The tables of a file's claims and gates; each is made once.
class ClaimedTables {
 public:
  /// `choices`: for planning the sweeps of these tables.
  ClaimedTables(const CommandContext& context, const RenderingChoices& chosen, PlanChoices choices)
      : context_(context), chosen_(chosen), choices_(std::move(choices)) {}

  /// Keeps the reason if a table cannot be made.
  void load(const std::string& name) {
    if (tables_.contains(name) || refused_.contains(name)) return;
    try {
      TableSpec spec =
          read_table_spec(spec_file_named("tables", name, context_.paths, context_.store));
      Plans plans = plans_of_columns(context_, spec, choices_, *chosen_.plans);
      for (const auto& [sweep, plan] : plans)
        profiles_.insert(plan.profiles.begin(), plan.profiles.end());
      TableView view = plan_table_view({std::move(spec), nullptr}, std::move(plans),
                                       chosen_.again.for_spec(name));
      if (!store_) store_ = open_store(context_);
      read_view(context_, store_.get(), TableUse::claims, view);
      tables_.emplace(name, std::move(view));
    } catch (const ConfigError& error) {
      refused_.emplace(name, error.what());
      if (!first_) first_ = std::current_exception();
    }
  }
  /// Throws the first table's message if no table could be made.
  void require_one() const {
    if (tables_.empty() && first_) std::rethrow_exception(first_);
  }

  /// Null if the table cannot be made.
  const Table* table(const std::string& name) const {
    const auto made = tables_.find(name);
    return made == tables_.end() ? nullptr : &made->second.numbers();
  }
  const std::string& why_refused(const std::string& name) const { return refused_.at(name); }
  /// Plans of the sweeps of these tables.
  Plans plans() const {
    Plans all;
    for (const auto& [name, view] : tables_) all.insert(view.plans.begin(), view.plans.end());
    return all;
  }
  /// Profiles of the sweeps of these tables.
  const std::set<std::string>& profiles() const { return profiles_; }
  /// Returns the first of `columns` whose sweep could not be planned, with the reason. A claim that names no column is
  /// about the table's only column; `columns` is then empty, and any column counts. Requires: table(name).
  std::optional<std::pair<std::string, std::string>> left_out(
      const std::string& name, const std::vector<std::string>& columns) const {
    const TableView& view = tables_.at(name);
    const std::map<std::string, std::string>& left_out = view.file.numbers.left_out;
    if (left_out.empty()) return std::nullopt;
    if (columns.empty()) return *left_out.begin();
    for (const std::string& column : columns) {
      if (!lines_called(view.numbers().columns, {column}).empty()) continue;
      const auto known = left_out.find(column);
      // A value of an axis that the table lacks without its sweep.
      return std::pair(column, known == left_out.end() ? left_out.begin()->second : known->second);
    }
    return std::nullopt;
  }
  /// Returns all trials of the tables, with those that they need.
  std::set<std::string> trials() const {
    std::set<std::string> ids;
    for (const auto& [name, view] : tables_) add_trials_with_needs(view.grid, ids);
    return ids;
  }
  /// Requires: table(name).
  ItemGains& items(const std::string& name) {
    const TableView& view = tables_.at(name);
    auto& items = items_[name];
    if (!items) {
      items =
          std::make_unique<ItemGains>(view.numbers(), view.records, view.metrics, kClaimResamples);
    }
    return *items;
  }

 private:
  const CommandContext& context_;
  const RenderingChoices& chosen_;
  const PlanChoices choices_;
  std::unique_ptr<Store> store_;  // null before the first table, and before the first run
  std::map<std::string, TableView> tables_;
  std::set<std::string> profiles_;
  std::map<std::string, std::string> refused_;
  std::map<std::string, std::unique_ptr<ItemGains>> items_;
  std::exception_ptr first_;
};

/// Tests the gate of a claim on `table`.
void take_gate(const GateSpec& gate, const ClaimSpec& claim, const Table& table,
               ClaimedTables& tables, GatesOnRecord& on_record, ClaimResult& result) {
  // The plan leaves the claim out, so its pilot does not matter.
  if (result.verdict == Verdict::not_at_this_scale) return;
  const Table* of_gate = tables.table(gate.table);
  if (!of_gate) return leave_gate_unmade(gate, "", tables.why_refused(gate.table), result);
  const std::vector<std::string> columns = columns_behind(claim, table);
  if (const auto left_out = tables.left_out(gate.table, columns))
    return leave_gate_unmade(gate, left_out->first, left_out->second, result);
  const GateResult passed = pass_gate(gate, *of_gate, &tables.items(gate.table), columns,
                                      claim.margin, on_record.recorded(claim, *of_gate, columns));
  apply_gate(passed, result);
  on_record.keep(claim, *of_gate, columns, passed, result);
}

/// With a misspelt profile, the basis of the weights would be dropped silently.
void check_basis(const ClaimsSpec& spec, const std::set<std::string>& profiles) {
  Problems problems;
  const std::vector<std::string> known(profiles.begin(), profiles.end());
  for (const auto& [profile, at] : spec.basis_at) {
    if (profiles.contains(profile)) continue;
    problems.add(
        at, "unknown-profile",
        fmt::format("basis: no sweep of these claims has a profile '{}'{}; they have: {}", profile,
                    did_you_mean(profile, known), known.empty() ? "none" : joined(known)));
  }
  problems.throw_if_any();
}

/// The choices for the tables of gates: --seeds selects seeds of claims and not of pilots.
PlanChoices choices_of_gates(PlanChoices choices) {
  choices.seeds.reset();
  return choices;
}

/// `awaited`: gets the trials for which the claims wait.
std::vector<ClaimResult> tested_claims(const CommandContext& context, ClaimsSpec spec,
                                       const std::string& name, const RenderingChoices& chosen,
                                       AwaitedTrials& awaited) {
  check_tables(spec, context.paths);
  ClaimedTables tables(context, chosen, chosen.plan),
      gates(context, chosen, choices_of_gates(chosen.plan));
  for (const ClaimSpec& claim : spec.claims) tables.load(claim.table);
  tables.require_one();
  for (const auto& [gate, of] : spec.gates) gates.load(of.table);
  check_basis(spec, tables.profiles());
  LookWriter writer(context.store);
  LooksOnRecord looks(context.store, spec, spec.name, chosen.plan, writer);
  GatesOnRecord gates_on_record(context.store, spec, choices_of_gates(chosen.plan), looks.before(),
                                writer);
  std::vector<ClaimResult> results;
  std::map<std::string, std::set<std::string>> of_claims;
  for (ClaimSpec& claim : spec.claims) {
    const Table* table = tables.table(claim.table);
    if (!table) {
      results.push_back(untested_claim(claim, "", tables.why_refused(claim.table)));
    } else if (const auto left_out = tables.left_out(claim.table, columns_named(claim))) {
      results.push_back(untested_claim(claim, left_out->first, left_out->second));
    } else {
      claim = with_looks_of_column(claim, *table);
      // The recorded rule contains the effect itself, even if it comes from the paper's numbers.
      if (claim.test->has_smallest) claim.smallest = smallest_effect(claim, *table);
      looks.bring(claim);
      results.push_back(test_claim(claim, *table, &tables.items(claim.table)));
    }
    ClaimResult& result = results.back();
    // Printed numbers count as seen, whatever the gate's state is.
    looks.keep(claim, result);
    if (!result.unmade && !claim.gate.empty())
      take_gate(spec.gates.at(claim.gate), claim, *table, gates, gates_on_record, result);
    if (table && !result.unmade) {
      for (const auto& [sweep, trials] : awaited_trials(claim, *table, result))
        of_claims[sweep].insert(trials.begin(), trials.end());
    }
    result.file = spec.name;
    bool can_start = !table || table->can_start;
    if (table) result.on_request = notes_on_failures(*table);
    if (result.waits_for_gate) {
      const Table& of_gate = *gates.table(spec.gates.at(claim.gate).table);
      awaited.of_gates.insert(of_gate.to_run.begin(), of_gate.to_run.end());
      for (const SheetNote& note : notes_on_failures(of_gate)) result.on_request.push_back(note);
      can_start |= of_gate.can_start;
    }
    if (can_start)
      result.run_with =
          chosen.again.with_choices(fmt::format("claims {} --run", for_a_shell(name)));
  }
  set_false_discovery_rates(results);
  for (const auto& [sweep, trials] : of_claims)
    awaited.of_claims[sweep].assign(trials.begin(), trials.end());
  awaited.shown_by_claims = tables.trials();
  awaited.shown_by_gates = gates.trials();
  awaited.plans_of_claims = tables.plans();
  awaited.plans_of_gates = gates.plans();
  return results;
}

}  // namespace

AwaitedTrials awaited_trials_of(const CommandContext& context, const ClaimsSpec& spec,
                                const std::string& name, const RenderingChoices& chosen) {
  AwaitedTrials awaited;
  tested_claims(context, spec, name, chosen, awaited);
  return awaited;
}

std::vector<ClaimResult> test_claims(const CommandContext& context, const ClaimsSpec& spec,
                                     const std::string& name, const RenderingChoices& chosen) {
  AwaitedTrials awaited;
  return tested_claims(context, spec, name, chosen, awaited);
}

}  // namespace rethink
