#include "app/driver/show/tables/rendering.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <set>

#include "app/driver/cli/named_files.h"
#include "app/driver/cli/note_report.h"
#include "app/driver/cli/terminal.h"
#include "app/driver/run/queued_run.h"
#include "app/driver/show/tables/table_view.h"
#include "core/config/schema.h"
#include "core/files/file.h"
#include "core/message.h"
#include "core/text.h"
#include "experiments/plan/read/library.h"
#include "experiments/plan/read/sweep_overlay.h"
#include "experiments/plan/shared_names.h"
#include "experiments/run/sweep_batch.h"
#include "experiments/run/sweep_run.h"
#include "plots/spec_sweeps.h"
#include "plots/table/lines/left_out_columns.h"
#include "results/database/database_place.h"
#include "results/folders/sweep_files.h"

namespace rethink {
void declare_rendering_choices(po::options_description& options) {
  declare_trial_choices(options);
  options.add_options()("all", "all tables, or all figures")(
      "run", "first run exactly the missing trials");
  declare_machine_choices(options);
}

RenderingChoices rendering_choices(const CommandContext& context, const po::variables_map& given,
                                   bool makes_store) {
  if (given.count("priority"))
    run_choices(context, given);  // reports invalid options even without --run
  // A missing database is reported once, not for each table.
  const bool reads_only = !makes_store && !given.count("run");
  if (reads_only && !is_store(context.store) && !given["store"].defaulted())
    std::cerr << fmt::format("{}: there is no store here: nothing has run\n",
                             context.store.string());
  const Purpose purpose = given.count("run") ? Purpose::run : Purpose::look;
  PlanChoices choices = plan_choices(context, given, purpose);
  choices.may_lack_files = purpose == Purpose::look;
  return {std::move(choices),
          {options_as_given(given, {"profile", "set", "seeds", "path", "data"}), context.store},
          options_as_given(given, {"path", "data"})};
}

std::vector<std::string> chosen_specs(const CommandContext& context, const po::variables_map& given,
                                      const std::string& kind) {
  std::vector<std::string> names = arguments_of(given);
  std::vector<std::string> known = Library(kind, context.paths).names();
  if (given.count("all")) return known;
  if (names.empty())
    throw ConfigError("missing-argument",
                      fmt::format("which of the {}? Give a name or --all; there is: {}", kind,
                                  known.empty() ? "nothing" : joined(known)));
  return names;
}

int for_each_spec(const std::vector<std::string>& names,
                  const std::function<int(const std::string& name)>& make) {
  int worst = kDone;
  size_t without_profile = 0;
  for (const std::string& name : names) {
    int code = kDone;
    try {
      code = make(name);
      if (code > kSomeFailed) return code;
    } catch (const DiskFullError&) {
      throw;
    } catch (const MachineError& error) {
      if (names.size() == 1) throw;
      std::cerr << fmt::format("left out {}: {}\n", name, error.what());
      code = kMachineError;
    } catch (const UnusableName& error) {
      std::cerr << fmt::format("left out {}: {}\n", one_line(name), error.what());
      code = kSomeFailed;
    } catch (const UnknownProfile& error) {  // sweeps may have different profiles
      if (++without_profile == names.size()) throw;
      std::cerr << fmt::format("left out {}: {}\n", name, error.what());
      code = kSomeFailed;
    } catch (const ConfigError& error) {
      if (names.size() == 1) throw;
      std::cerr << fmt::format("left out {}: {}\n", name, error.what());
      code = kUserError;
    }
    worst = std::max(worst, code);
  }
  return worst;
}

namespace {

/// Notes once, on standard error, that another file also has the path in a spec.
std::filesystem::path sweep_of_spec(const CommandContext& context, const Word& sweep) {
  if (const auto note = note_on_second_sweep(sweep, context.paths)) print_note_once(*note);
  return find_spec_sweep(sweep, context.paths);
}

}  // namespace

Plans plans_of_spec(const CommandContext& context, const std::vector<Word>& sweeps,
                    const RenderingChoices& chosen) {
  std::vector<std::filesystem::path> files;
  for (const Word& sweep : sweeps) files.push_back(sweep_of_spec(context, sweep));
  std::vector<Plan> made = plans_of_sweeps(files, chosen.plan, context.schema(), *chosen.plans);
  Plans plans;
  for (size_t i = 0; i < made.size(); ++i) plans[sweeps[i].text] = std::move(made[i]);
  return plans;
}

Plans plans_of_columns(const CommandContext& context, TableSpec& spec, PlanChoices choices,
                       SharedPlans& shared) {
  const std::vector<Word> sweeps = sweeps_of(spec);
  choices.of_several = sweeps.size() > 1;
  Plans plans;
  RefusedSweeps refused;
  std::exception_ptr first;
  for (const Word& sweep : sweeps) {
    try {
      plans[sweep.text] = shared.plan(sweep_of_spec(context, sweep), choices, context.schema());
    } catch (const ConfigError& error) {
      refused.emplace(sweep.text, error.what());
      if (!first) first = std::current_exception();
    }
  }
  if (first && !leave_out_columns(spec, refused)) std::rethrow_exception(first);
  return plans;
}

void fit_to_terminal(Renderer& renderer) {
  if (isatty(STDOUT_FILENO) != 0) renderer.fit(static_cast<size_t>(columns_of_terminal(stdout)));
}

namespace {

/// The states of the trials in `shown`, but not in `running`, that have ended.
TrialCounts ended_before(const CommandContext& context, const std::set<std::string>& shown,
                         const std::set<std::string>& running) {
  TrialCounts counts;
  const std::unique_ptr<Store> store = open_store(context);
  if (!store) return counts;
  for (const auto& [id, state] : store->states({shown.begin(), shown.end()})) {
    if (is_final(state) && !running.contains(id)) ++counts[state];
  }
  return counts;
}

}  // namespace

int run_missing(const CommandContext& context, const po::variables_map& given, const Plans& plans,
                const PlanChoices& plan_choices,
                const std::map<std::string, std::vector<std::string>>& to_run,
                const std::set<std::string>& shown, const std::string& command) {
  std::vector<Plan> whole;
  std::set<std::string> missing;
  for (const auto& [sweep, trials] : to_run) {
    whole.push_back(plans.at(sweep));
    missing.insert(trials.begin(), trials.end());
  }
  if (whole.empty()) return kDone;
  print_notes(shared_names(whole, context.store, options_as_given(given, {"store"})));
  RunChoices choices = run_choices(context, given);
  choices.trials = missing;
  choices.with.push_back(std::string(kCommandEntry) + command);
  const TrialCounts before = ended_before(context, shown, requested_with_needs(whole, missing));
  const auto [report, stays_queued, shared] =
      run_or_queue(context, given, whole, plan_choices, choices, before);
  if (stays_queued) {
    print_queue_advice(context, whole, choices.trials, shared);
    return kInterrupted;
  }
  if (!report.machine_problem.empty()) {
    std::cerr << report.machine_problem << "\n";
    return kMachineError;
  }
  if (report.interrupted) {
    size_t done = report.count(TrialState::done), all = report.trials;
    for (const auto& [state, trials] : before) {
      all += trials;
      if (state == TrialState::done) done += trials;
    }
    std::cerr << fmt::format("interrupted: {} of {} trials done; resume with: {}\n", done, all,
                             context.typed);
    return kInterrupted;
  }
  return report.bad.empty() ? kDone : kSomeFailed;
}

std::string resuming_words(const std::string& command, const std::string& name,
                           const po::variables_map& given) {
  std::error_code ignored;
  const bool is_file = std::filesystem::is_regular_file(name, ignored);
  return fmt::format(
      "{} {} --run{}", command, for_a_shell(is_file ? whole_path(name).string() : name),
      options_as_given(given, {"stage", "like-last-run", "profile", "set", "seeds"}));
}

void make_out_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return;
  if (error == std::errc::no_space_on_device)
    throw_file_error(folder, "cannot make the folder", error.value());
  throw ConfigError("file-error",
                    fmt::format("--out: cannot make the folder {}: {}; name another place",
                                folder.string(), error.message()));
}

void write_rendering(const CommandContext& context, const std::string& name,
                     const std::string& text) {
  const std::filesystem::path file = context.out / name;
  make_out_folder(file.parent_path());
  write_file_atomically(file, text);
  if (!context.quiet) std::cerr << file.string() << "\n";
}

std::string last_part_of(const std::string& name) {
  return std::filesystem::path(name).filename().string();
}

}  // namespace rethink
