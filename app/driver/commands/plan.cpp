// `rethink plan`: shows the trials of a sweep, which of them would run, and why.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <optional>
#include <set>

#include "app/driver/cli/note_report.h"
#include "app/driver/cli/piped_sweep.h"
#include "app/driver/cli/plan_choices.h"
#include "app/driver/cli/terminal.h"
#include "app/driver/command.h"
#include "app/driver/show/plan_notes/code_notes.h"
#include "app/driver/show/plan_notes/program_notes.h"
#include "app/driver/show/plan_notes/stage_notes.h"
#include "app/driver/show/plan_notes/test_curve_notes.h"
#include "app/driver/show/plan_notes/work_text.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/temporary_folder.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/result_file.h"
#include "core/store_files/trial_folder.h"
#include "core/text.h"
#include "experiments/attempt/trial_files.h"
#include "experiments/plan/needed_files.h"
#include "experiments/plan/plan_report.h"
#include "experiments/plan/planned_states.h"
#include "experiments/run/board.h"
#include "results/database/database_place.h"
#include "results/folders/foreign_parts.h"
#include "results/store/left_running.h"
#include "results/store/store.h"

namespace rethink {
namespace {

constexpr size_t kWidth = 110;
constexpr size_t kShown = 10;
constexpr size_t kNameWidth = 24;  // minimum width of the first column

std::string labels_text(const PlannedTrial& planned) {
  std::string text;
  for (const auto& [axis, label] : planned.labels)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", axis, one_line(label));
  if (planned.trial.seed)
    text += fmt::format("{}seed={}", text.empty() ? "" : " ", *planned.trial.seed);
  return text;
}

Json stage_json(const StageReport& stage) {
  Json json{{"sweep", stage.sweep},    {"stage", stage.stage},       {"job", stage.job},
            {"trials", stage.planned}, {"distinct", stage.distinct}, {"stale", stage.stale},
            {"to_run", stage.to_run},  {"unknown", stage.unknown}};
  for (const TrialState state : kTrialStates) {
    if (is_final(state) || state == TrialState::running) json[to_text(state)] = stage.in(state);
  }
  json["seconds"] = stage.seconds ? Json(*stage.seconds) : Json();
  json["evaluation_share"] = stage.seconds ? Json(stage.evaluation_share) : Json();
  json["flops"] = stage.flops ? Json(*stage.flops) : Json();
  json["evaluation_flops"] = stage.evaluation_flops ? Json(*stage.evaluation_flops) : Json();
  json["bytes"] = stage.bytes ? Json(*stage.bytes) : Json();
  json["checkpoint_bytes"] = stage.checkpoint_bytes ? Json(*stage.checkpoint_bytes) : Json();
  return json;
}

void print_json(const std::vector<Plan>& plans, const PlanReport& report,
                const std::vector<ChangedCode>& changed_code) {
  Json json{{"stages", Json::array()}, {"trials", Json::array()}, {"to_run", Json::array()}};
  for (const StageReport& stage : report.stages) json["stages"].push_back(stage_json(stage));
  json["total"] = stage_json(report.total());
  for (const char* name : {"sweep", "stage", "job"}) json["total"].erase(name);
  for (const Plan& plan : plans) {
    for (const PlannedTrial& planned : plan.trials) {
      Json trial{{"id", planned.trial.id},      {"sweep", plan.sweep},
                 {"stage", planned.stage},      {"labels", planned.labels},
                 {"job", planned.trial.job},    {"config", planned.trial.config},
                 {"needs", planned.trial.needs}};
      trial["seed"] = planned.trial.seed ? Json(*planned.trial.seed) : Json();
      json["trials"].push_back(std::move(trial));
    }
  }
  for (const RunReason& reason : report.to_run) {
    json["to_run"].push_back(
        {{"id", reason.trial->trial.id}, {"stale", reason.stale}, {"why", reason.why}});
  }
  json["changed_code"] = Json::array();
  for (const ChangedCode& one : changed_code)
    json["changed_code"].push_back({{"plugin", one.change.plugin},
                                    {"commits", one.commits},
                                    {"trials", one.trials},
                                    {"source", one.source},
                                    {"before", one.change.before},
                                    {"now", one.change.now}});
  std::cout << json.dump(2) << "\n";
}

/// "2 failed, 1 diverged": trials that `run` does not repeat.
std::string ended_text(const StageReport& stage) {
  std::vector<std::string> ends;
  for (const TrialState state :
       {TrialState::failed, TrialState::diverged, TrialState::cancelled, TrialState::blocked}) {
    if (const size_t count = stage.in(state); count > 0)
      ends.push_back(fmt::format("{} {}", count, to_text(state)));
  }
  return joined(ends);
}

/// "12 min of one slot"; a lower bound if only some trials have a known time.
std::string slot_time_text(const StageReport& stage) {
  if (stage.unknown == 0) return training_time_text(*stage.seconds) + " of one slot";
  if (*stage.seconds < kLeastEstimate_s) return "time unknown";
  return fmt::format("more than {} of one slot", rough_duration_text(*stage.seconds));
}

std::string cost_text(const StageReport& stage) {
  if (stage.to_run == 0) return "";
  if (!stage.seconds || !stage.bytes) return "time and disk unknown";
  const double checkpoints = stage.checkpoint_bytes.value_or(0);
  const double percent = std::round(100 * stage.evaluation_share);
  return fmt::format(
      "{}, {}{}{}", slot_time_text(stage), size_text(*stage.bytes),
      checkpoints > 0 ? fmt::format(" and {} of checkpoints a slot", size_text(checkpoints)) : "",
      percent > 0 ? fmt::format("; {} % of the time is evaluation", percent) : "");
}

/// Returns the commands that repeat failed and cancelled trials; "" if there are no such trials.
std::string retry_text(const PlanReport& report, const po::variables_map& given,
                       const std::filesystem::path& store) {
  const StageReport total = report.total();
  if (total.in(TrialState::failed) + total.in(TrialState::cancelled) == 0) return "";
  return fmt::format("\n{}\n", how_to_retry(given, total.in(TrialState::diverged) > 0, store));
}

std::string stage_name(const StageReport& stage) {
  return stage.sweep + " " + stage.stage;
}

/// The width of the first column: the longest name's, so that the columns stay aligned.
size_t first_column_width(const PlanReport& report) {
  size_t widest = kNameWidth;
  for (const StageReport& stage : report.stages)
    widest = std::max(widest, stage_name(stage).size());
  return widest;
}

std::string row_text(const std::string& name, size_t name_width, const StageReport& stage) {
  const size_t ended = stage.in(TrialState::failed) + stage.in(TrialState::cancelled) +
                       stage.in(TrialState::diverged) + stage.in(TrialState::blocked);
  std::string row = fmt::format("{:<{}} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}", name, name_width,
                                stage.planned, stage.distinct, stage.in(TrialState::done),
                                stage.in(TrialState::running), ended, stage.to_run);
  const std::string stale = stage.stale > 0 ? fmt::format("{} stale", stage.stale) : "";
  for (const std::string& more : {ended_text(stage), stale, cost_text(stage)}) {
    if (!more.empty()) row += "  " + more;
  }
  return row + "\n";
}

/// "; evaluation adds 12 %"; empty if it is not known.
std::string added_evaluation_text(const StageReport& stage) {
  if (!stage.evaluation_flops || *stage.flops <= 0) return "";
  const double percent = 100 * *stage.evaluation_flops / *stage.flops;
  if (percent < 1) return "; evaluation adds less than 1 %";
  return fmt::format("; evaluation adds {:.0f} %", percent);
}

/// For stages without measured trials: the cost of training according to their configurations.
void print_estimates(const PlanReport& report) {
  std::string lines;
  for (const StageReport& stage : report.stages) {
    if (stage.flops)
      lines += fmt::format("  {}: {:.1e} FLOPs, {}{}\n", stage_name(stage), *stage.flops,
                           training_time_text(*stage.flops / training_rate(report)),
                           added_evaluation_text(stage));
  }
  if (lines.empty()) return;
  std::cout << fmt::format(
      "\nestimated training time in one slot, since no similar trial is done; start and evaluation "
      "are not included. FLOPs of the layers, with the word counts of texts and the full length of "
      "other sequences, at {}{}\n"
      "{}",
      training_rate_text(report),
      report.rate ? fmt::format(", measured on trials of {:.1e} FLOPs at most (larger models often "
                                "train at a higher rate)",
                                report.rate->most_flops)
                  : "",
      lines);
}

/// For trials of users' programs: each command line of a stage with the hash of its kept code.
void print_programs(const std::vector<Plan>& plans) {
  constexpr size_t kDigits = 12;
  std::vector<std::string> lines;
  for (const Plan& plan : plans) {
    for (const PlannedTrial& planned : plan.trials) {
      const Json& config = planned.trial.config;
      const std::string code = config.value("snapshot", "");
      if (code.empty() || !config.contains("run")) continue;
      std::vector<std::string> words;
      for (const Json& word : config.at("run"))
        words.push_back(for_a_shell(word.get<std::string>()));
      const std::string line = fmt::format("  {} {}: {}  (code {})", plan.sweep, planned.stage,
                                           joined(words, " "), code.substr(0, kDigits));
      if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
    }
  }
  if (lines.empty()) return;
  std::cout << "\nprograms\n";
  for (size_t i = 0; i < std::min(kShown, lines.size()); ++i) std::cout << lines[i] << "\n";
  if (lines.size() > kShown)
    std::cout << fmt::format("  ... and {} more (--format json lists all)\n",
                             lines.size() - kShown);
}

void print_text(const std::vector<Plan>& plans, const PlanReport& report,
                const std::string& retry) {
  const size_t names = first_column_width(report);
  std::cout << fmt::format("{:<{}} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "stage", names, "trials",
                           "distinct", to_text(TrialState::done), to_text(TrialState::running),
                           "ended", "to run");
  for (const StageReport& stage : report.stages)
    std::cout << row_text(stage_name(stage), names, stage);
  if (report.stages.size() > 1) std::cout << row_text("total", names, report.total());
  std::cout << retry;
  print_estimates(report);
  print_programs(plans);
  if (!report.to_run.empty()) std::cout << "\nto run\n";
  for (size_t i = 0; i < std::min(kShown, report.to_run.size()); ++i) {
    const RunReason& reason = report.to_run[i];
    const std::string labels = labels_text(*reason.trial);
    const std::string title = fmt::format("  {}  {}{}{}", reason.trial->trial.id,
                                          reason.trial->stage, labels.empty() ? "" : " ", labels);
    const bool fits = title.size() + reason.why.size() < kWidth;
    std::cout << title << (fits ? ": " : "\n      ") << reason.why << "\n";
  }
  if (report.to_run.size() > kShown) {
    std::cout << fmt::format("  ... and {} more (--format json lists all)\n",
                             report.to_run.size() - kShown);
  }
}

/// Returns why a done trial's result does not count; "" if it counts. Checks only the end of the
/// file, which an incomplete file lacks: reading all results, as `run` does, takes longer than the
/// whole plan.
std::string trouble_with(const std::filesystem::path& result) {
  constexpr std::string_view kEnd = "}\n";
  std::array<char, kEnd.size()> end{};
  const FileDescriptor file(open(result.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  const bool ends_well = file && lseek(file.get(), -off_t{kEnd.size()}, SEEK_END) >= 0 &&
                         read(file.get(), end.data(), end.size()) == off_t{kEnd.size()} &&
                         std::string_view(end.data(), end.size()) == kEnd;
  if (ends_well || sound_result(result)) return "";
  return std::filesystem::exists(result)
             ? "done in the database, but its result.json is damaged"
             : "done in the database, but its folder has no result.json";
}

/// Returns done trials that would run again, with the reason: a file that is needed, or that must
/// be kept, is missing.
std::map<std::string, std::string> trials_to_repeat(const std::vector<Plan>& plans,
                                                    const CommandContext& context,
                                                    std::map<std::string, TrialState> states) {
  std::map<std::string, std::string> again;
  std::set<std::string> unreadable;  // a run does not repeat these
  for (auto& [id, state] : states) {
    if (!has_result(state)) continue;
    const std::filesystem::path folder = TrialFolder(context.store, id).path();
    if (is_unreadable(folder)) {
      std::cerr << fmt::format("{}; the trial counts as {}\n", foreign_part(folder),
                               to_text(state));
      unreadable.insert(id);
      continue;
    }
    const std::string trouble = trouble_with(TrialFolder(context.store, id).result());
    if (trouble.empty()) continue;
    again[id] = trouble;
    state = TrialState::waiting;
  }
  const auto state_of = [&](const std::string& id) {
    const auto found = states.find(id);
    return found == states.end() ? TrialState::waiting : found->second;
  };
  again.merge(files_to_make_again(
      plans, context.schema(), context.store,
      [&](const std::string& id) {
        return state_of(id) == TrialState::done && !unreadable.count(id);
      },
      [&](const std::string& id) { return !is_final(state_of(id)); }));
  return again;
}

void print_unused_stages(const std::vector<Plan>& plans, const CommandContext& context) {
  for (const Plan& plan : plans) {
    print_notes(notes_on_unused_stages(plan, context.schema(), context.paths));
  }
}

void print_mask_notes(const std::vector<Plan>& plans, const Schema& schema) {
  for (const Plan& plan : plans) {
    print_notes(notes_on_masks(plan, schema));
  }
}

class PlanCommand : public Command {
 public:
  std::string positional() const override { return "SWEEP..."; }

  bool needs_folders() const override { return true; }
  void declare(po::options_description& options) const override {
    declare_run_choices(options);
    declare_format(options);
    options.add_options()("check", "only check: print nothing unless there is a mistake");
  }

  int run(const CommandContext& context, const po::variables_map& typed) override {
    std::optional<ScratchFolder> scratch;
    if (has_piped_sweep(typed)) scratch.emplace();
    const po::variables_map given = scratch ? with_kept_sweeps(typed, scratch->path()) : typed;
    const bool as_json = wants_json(given);
    const RunChoices choices = run_choices(context, given);
    std::vector<Plan> plans = plans_of_arguments(context, given);
    leave_out_trials_without_files(plans);
    if (given.count("check")) return kDone;
    print_notes(plans, context, given, context.quiet ? 0 : choices.slots);
    print_mask_notes(plans, context.schema());
    for (const Plan& plan : plans) print_notes(notes_on_unread_settings(plan, context.schema()));
    if (!given.count("only")) print_unused_stages(plans, context);
    std::optional<Store> store;
    if (is_store(context.store)) store.emplace(context.store, Store::Access::read);
    Store* const known = store ? &*store : nullptr;
    const std::vector<ChangedCode> changed_code =
        known ? report_changed_code(plans, *known, context) : std::vector<ChangedCode>();
    if (known) report_missing_test_curves(plans, *known, context);
    StoreFacts facts{known, states_of(plans, known)};
    if (known) facts.begun = begun_trials(*known);
    if (known) facts.again = trials_to_repeat(plans, context, facts.states);
    PlanReport report = report_plans(plans, context.schema(), facts, kShown, context.data);
    if (choices.max_trials && report.to_run.size() > *choices.max_trials)
      report.to_run.resize(*choices.max_trials);
    // A sweep from a pipe has no name that another command could take.
    const std::string retry = scratch ? "" : retry_text(report, given, context.store);
    as_json ? print_json(plans, report, changed_code) : print_text(plans, report, retry);
    std::cout << std::flush;
    for (const Plan& plan : plans) print_notes(notes_on_missing_metrics(plan, context.schema()));
    return kDone;
  }
};

RETHINK_REGISTERED =
    add_command<PlanCommand>("plan", "show the trials of a sweep, which would run, and why");

}  // namespace
}  // namespace rethink
