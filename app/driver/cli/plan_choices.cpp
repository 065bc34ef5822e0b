#include "app/driver/cli/plan_choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "app/driver/cli/named_files.h"
#include "app/driver/cli/note_report.h"
#include "app/driver/command.h"
#include "app/driver/run/gpu_notes.h"
#include "app/driver/run/run_at_site.h"
#include "core/config/problems.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/message.h"
#include "core/trial_state.h"
#include "core/yaml/yaml.h"
#include "experiments/plan/read/stage_spec.h"
#include "experiments/run/slots.h"
#include "experiments/run/sweep_queue.h"
#include "results/database/database_place.h"
#include "results/records/known_trials.h"

namespace rethink {
namespace {

int64_t seed_named(const std::string& text, const std::string& all) {
  int64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seed);
  if (text.empty() || error != std::errc() || stop != end || seed < 0) {
    throw ConfigError("invalid-argument",
                      fmt::format("--seeds: got '{}', expected seeds such as 0..4 or 0,1,5", all));
  }
  return seed;
}

}  // namespace

std::vector<int64_t> seeds_named(const std::string& text) {
  constexpr int64_t kMost = kMostSeeds;
  std::vector<int64_t> seeds;
  size_t begin = 0;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const size_t dots = part.find("..");
    const int64_t first = seed_named(part.substr(0, dots), text);
    const int64_t last =
        dots == std::string::npos ? first : seed_named(part.substr(dots + 2), text);
    if (last < first)
      throw ConfigError("invalid-argument",
                        fmt::format("--seeds: got '{}', expected the smaller seed first", text));
    if (last - first >= kMost - static_cast<int64_t>(seeds.size()))
      throw ConfigError("invalid-argument",
                        fmt::format("--seeds: got '{}', expected at most {} seeds", text, kMost));
    for (int64_t i = 0; i <= last - first; ++i) seeds.push_back(first + i);
    begin = end + 1;
  }
  return seeds;
}

void declare_trial_choices(po::options_description& options) {
  options.add_options()("profile", po::value<std::string>()->value_name("NAME"),
                        "profile of the sweep file, e.g. smoke, small, paper")(
      "set", po::value<std::vector<std::string>>()->value_name("K=V")->composing(),
      "set an option, over everything in the file; may be repeated")(
      "seeds", po::value<std::string>()->value_name("SEEDS"),
      "0..4 or 0,1,5: seeds in place of the file's");
}

void declare_run_choices(po::options_description& options) {
  declare_trial_choices(options);
  options.add_options()("only", po::value<std::string>()->value_name("STAGE"),
                        "only this stage and its dependencies")(
      "skip-missing-data", "leave out trials whose datasets or weights are missing");
  declare_machine_choices(options);
}

void declare_machine_choices(po::options_description& options) {
  options.add_options()("device",
                        po::value<std::string>()->value_name("DEVICE")->default_value("auto"),
                        "cpu, cuda or auto")(
      "max-trials", po::value<std::string>()->value_name("N"), "start at most this many trials")(
      "slots", po::value<std::string>()->value_name("N"),
      "trials at once (default: as many as fit on the cores)")(
      "fail-fast", "start no trial after the first failure")(
      "priority", po::value<std::string>()->value_name("WHEN")->default_value("after"),
      "after, beside or before: when the trials start if another driver is running: "
      "after its trials, beside them or before them");
}

std::string device_choice(const po::variables_map& given) {
  std::string device = given["device"].as<std::string>();
  if (device == "auto" || device == "cpu" || device == "cuda") return device;
  throw ConfigError("invalid-argument",
                    fmt::format("--device: got '{}', expected cpu, cuda or auto{}", device,
                                did_you_mean(device, {"cpu", "cuda", "auto"})));
}

namespace {

constexpr int64_t kMostSlots = 4096;

/// Returns the options of the command that continues this run, without the options that choose its
/// plan. Paths are absolute, so that the command works in every folder.
std::vector<std::string> options_to_repeat(const po::variables_map& given) {
  const auto whole = [](const std::string& path) { return whole_path(path).string(); };
  std::vector<std::string> words;
  if (given.count("path")) {
    for (const std::string& path : given["path"].as<std::vector<std::string>>())
      words.push_back("--path=" + whole(path));
  }
  if (given.count("data")) words.push_back("--data=" + whole(given["data"].as<std::string>()));
  if (given.count("site")) words.push_back("--site=" + given["site"].as<std::string>());
  if (given.count("sites")) words.push_back("--sites=" + whole(given["sites"].as<std::string>()));
  if (!given["device"].defaulted()) words.push_back("--device=" + device_choice(given));
  return words;
}

}  // namespace

RunChoices run_choices(const CommandContext& context, const po::variables_map& given) {
  RunChoices choices;
  choices.store = context.store;
  choices.data = context.data;
  choices.programs = context.programs;
  choices.slots = static_cast<int>(number_given(given, "slots", {1, kMostSlots}).value_or(0));
  choices.device = device_choice(given);
  choices.fail_fast = given.count("fail-fast") > 0;
  if (const auto most = number_given(given, "max-trials", {}))
    choices.max_trials = static_cast<size_t>(*most);
  choices.with = options_to_repeat(given);
  queue_order(given["priority"]
                  .as<std::string>());  // throws on an unknown word even if no driver is running
  return choices;
}

namespace {

/// "smoke, small": the file's other profiles that can be planned with these choices.
std::vector<std::string> profiles_that_plan(const std::filesystem::path& file, PlanChoices choices,
                                            const Schema& schema) {
  std::vector<std::string> fitting;
  const Yaml document = read_yaml(file);
  const Yaml* profiles = document.find("profiles");
  const std::vector<std::string> known = profiles ? profiles->keys() : std::vector<std::string>{};
  const bool is_known = choices.profile.empty() || std::ranges::count(known, choices.profile) > 0;
  if (!is_known) return {};          // the error already lists all profiles
  constexpr size_t kMostTried = 10;  // a plan checks all profiles, so the time is quadratic
  if (known.size() > kMostTried) return {};
  for (const std::string& profile : known) {
    choices.profile = profile;
    try {
      make_plan(file, choices, schema);
      fitting.push_back(profile);
    } catch (const ConfigError&) {  // that profile has mistakes, too
    }
  }
  return fitting;
}

/// Returns whether --skip-missing-data would leave trials to run.
bool can_run_some_without_missing_data(const std::filesystem::path& file, PlanChoices choices,
                                       const Schema& schema) {
  choices.may_lack_files = true;
  const Plan plan = make_plan(file, choices, schema);
  return std::ranges::any_of(plan.trials,
                             [](const PlannedTrial& planned) { return planned.lacks.empty(); });
}

/// Prints one note for each stage on which --seeds has no effect.
void note_own_seeds(const std::filesystem::path& file, const Plan& plan,
                    const PlanChoices& choices) {
  if (!choices.seeds) return;
  const std::set<int64_t> chosen(choices.seeds->begin(), choices.seeds->end());
  std::map<std::string, std::set<int64_t>> seeds_of;  // by stage
  for (const PlannedTrial& planned : plan.trials) {
    if (planned.trial.seed) seeds_of[planned.stage].insert(*planned.trial.seed);
  }
  for (const auto& [stage, seeds] : seeds_of) {
    if (seeds == chosen) continue;
    print_note_once(
        Note("unused-seeds",
             fmt::format("--seeds has no effect on stage '{}', which has seeds of its own: {}",
                         stage, fmt::join(seeds, ", ")),
             Position{file.string()}));
  }
}

}  // namespace

Plan make_plan_with_hints(const std::filesystem::path& file, const PlanChoices& choices,
                          const Schema& schema) {
  try {
    Plan plan = make_plan(file, choices, schema);
    note_own_seeds(file, plan, choices);
    return plan;
  } catch (const ConfigError& error) {
    std::string hints;
    try {
      const std::vector<std::string> fitting = profiles_that_plan(file, choices, schema);
      if (!fitting.empty())
        hints +=
            "\nprofiles that can be planned here: --profile " + joined(fitting, ", --profile ");
      if (choices.machine && can_run_some_without_missing_data(file, choices, schema))
        hints += "\nto run the trials whose data are here: --skip-missing-data";
    } catch (
        // There are other mistakes than missing files, which are already reported.
        const ConfigError&) {
    }
    if (hints.empty()) throw;
    if (const auto* mistakes = dynamic_cast<const ProblemsError*>(&error))
      throw ProblemsError(error.what() + hints, mistakes->problems);
    throw ConfigError(error.code(), error.what() + hints);
  }
}

namespace {

/// Returns a key that is equal for equal plans of one command. `of_several` changes only how
/// settings apply.
std::string plan_key(const std::filesystem::path& file, const PlanChoices& choices) {
  return fmt::format("{}\n{}\n{}\n{} {} {} {}", file.string(), choices.profile, choices.text(),
                     choices.of_several && !choices.settings.empty(), choices.may_lack_files,
                     choices.machine.has_value(), choices.recorded != nullptr);
}

}  // namespace

const Plan& SharedPlans::plan(const std::filesystem::path& file, const PlanChoices& choices,
                              const Schema& schema) {
  const std::string key = plan_key(file, choices);
  auto found = made_.find(key);
  if (found == made_.end()) {
    Made made;
    try {
      made.plan = make_plan_with_hints(file, choices, schema);
    } catch (const ConfigError&) {
      made.refused = std::current_exception();
    }
    found = made_.emplace(key, std::move(made)).first;
  }
  if (found->second.refused) std::rethrow_exception(found->second.refused);
  return found->second.plan;
}

namespace {

using Planner = std::function<Plan(const std::filesystem::path& file, const PlanChoices& choices)>;

/// Returns the result of plans_of_sweeps, with plans that `planner` makes.
std::vector<Plan> plans_together(const std::vector<std::filesystem::path>& files,
                                 PlanChoices choices, const Schema& schema,
                                 const Planner& planner) {
  choices.of_several = files.size() > 1;
  std::vector<Plan> plans;
  for (const std::filesystem::path& file : files) plans.push_back(planner(file, choices));
  const auto has_no_place = [&](const std::string& setting) {
    return std::ranges::all_of(
        plans, [&](const Plan& plan) { return std::ranges::count(plan.of_others, setting) > 0; });
  };
  if (plans.empty() || std::ranges::none_of(choices.settings, has_no_place)) return plans;
  choices.of_several = false;
  std::set<std::string> places;  // paths of each sweep's missing files
  for (const std::filesystem::path& file : files) {
    try {
      make_plan_with_hints(file, choices, schema);
    } catch (const ConfigError& error) {
      places.insert(error.what());
    }
  }
  throw ConfigError("unknown-key", joined({places.begin(), places.end()}, "\n"));
}

}  // namespace

std::vector<Plan> plans_of_sweeps(const std::vector<std::filesystem::path>& files,
                                  PlanChoices choices, const Schema& schema, SharedPlans& shared) {
  return plans_together(files, std::move(choices), schema,
                        [&](const std::filesystem::path& file, const PlanChoices& of_all) {
                          return shared.plan(file, of_all, schema);
                        });
}

PlanChoices choices_for_looking(const CommandContext& context) {
  PlanChoices choices;
  choices.data = context.data;
  choices.paths = context.paths;
  // Computed once for all plans, since a report plans a hundred sweeps.
  const auto known = std::make_shared<std::optional<std::map<std::string, std::string>>>();
  choices.recorded = [store = context.store, known]() -> std::map<std::string, std::string> {
    if (*known || !is_store(store)) return known->value_or(std::map<std::string, std::string>());
    Store opened(store, Store::Access::read);
    return known->emplace(recorded_data(opened));
  };
  return choices;
}

PlanChoices choices_on_record(const CommandContext& context, const SweepFile& file) {
  PlanChoices choices = choices_for_looking(context);
  choices.may_lack_files = true;
  choices.profile = file.profile;
  for (const auto& [option, value] : options_of_choice(file.choice)) {
    if (option == "--set") choices.settings.push_back(value);
    if (option == "--only") choices.only_stage = value;
    if (option == "--seeds") choices.seeds = seeds_named(value);
  }
  const std::string data = "--data=", path = "--path=";
  for (const std::string& word : file.with) {
    if (word.starts_with(data) && choices.data.empty()) choices.data = word.substr(data.size());
    if (word.starts_with(path)) choices.paths.emplace_back(word.substr(path.size()));
  }
  return choices;
}

namespace {

/// Returns the machine on which trials of the site run. The nodes of a cluster are unknown, so they
/// count as able to run everything; a pilot reports what a trial lacks there.
Machine machine_of_site(const Site& site, const po::variables_map& given,
                        const CommandContext& context) {
  const std::string device = device_choice(given);
  if (runs_on_this_machine(site)) return machine_to_run_on(device, context.programs);
  constexpr size_t kAny = std::numeric_limits<int32_t>::max();
  return {.cores = kAny,
          .device = device,
          .has_gpu = [] { return true; },
          .gpus = [] { return kAny; },
          .most_gpu_bytes = [] { return std::numeric_limits<uint64_t>::max(); }};
}

/// " bet/diag_discount mine.yaml", as words of a shell.
std::string sweeps_as_given(const po::variables_map& given) {
  std::string words;
  for (const std::string& sweep : arguments_of(given)) words += " " + for_a_shell(sweep);
  return words;
}

}  // namespace

PlanChoices plan_choices(const CommandContext& context, const po::variables_map& given,
                         Purpose purpose) {
  PlanChoices choices = choices_for_looking(context);
  if (given.count("profile")) choices.profile = given["profile"].as<std::string>();
  if (given.count("set")) choices.settings = given["set"].as<std::vector<std::string>>();
  if (given.count("only")) choices.only_stage = given["only"].as<std::string>();
  if (given.count("seeds")) choices.seeds = seeds_named(given["seeds"].as<std::string>());
  if (purpose == Purpose::run) {
    choices.recorded = nullptr;
    choices.machine = given.count("site")
                          ? machine_of_site(*site_given(given), given, context)
                          : machine_to_run_on(device_choice(given), context.programs);
  }
  return choices;
}

std::vector<Plan> plans_of_arguments(const CommandContext& context,
                                     const po::variables_map& given) {
  const std::vector<std::string> sweeps = arguments_of(given);
  if (sweeps.empty())
    throw ConfigError("missing-argument",
                      "name a sweep: a file, or a name such as bet/diag_discount");
  PlanChoices choices = plan_choices(context, given, Purpose::run);
  choices.may_lack_files = given.count("skip-missing-data") > 0;
  const std::string options = options_as_given(given, {"profile", "set", "seeds", "path", "data"});
  std::vector<std::filesystem::path> files;
  std::set<std::filesystem::path> seen;  // a sweep that is named twice counts once
  for (const std::string& sweep : sweeps) {
    const std::filesystem::path file =
        sweep_file_named(sweep, choices.paths, context.store, options);
    if (seen.insert(std::filesystem::weakly_canonical(file)).second) files.push_back(file);
  }
  // Each file is planned once, and a second copy of 100,000 trials takes 120 MiB.
  const Schema& schema = context.schema();
  return plans_together(files, std::move(choices), schema,
                        [&](const std::filesystem::path& file, const PlanChoices& of_all) {
                          return make_plan_with_hints(file, of_all, schema);
                        });
}

std::string run_as_given(const po::variables_map& given, const std::filesystem::path& store) {
  return store_command(
      "run" + sweeps_as_given(given) +
          options_as_given(given, {"profile", "set", "only", "skip-missing-data", "seeds", "path",
                                   "data", "device", "site", "sites"}),
      store);
}

std::string how_to_retry(const po::variables_map& given, bool diverged,
                         const std::filesystem::path& store) {
  const std::string all_but_diverged =
      " --only " + joined({to_text(AttemptOutcome::failed), to_text(AttemptOutcome::oom),
                           to_text(AttemptOutcome::killed), to_text(AttemptOutcome::lost),
                           to_text(AttemptOutcome::timeout), to_text(TrialState::cancelled)},
                          ",");
  const std::string retry = "retry" + sweeps_as_given(given) +
                            options_as_given(given, {"profile"}) +
                            (diverged ? all_but_diverged : "");
  return fmt::format("to repeat failed and cancelled trials: {} && {}", store_command(retry, store),
                     run_as_given(given, store));
}

size_t leave_out_trials_without_files(std::vector<Plan>& plans) {
  size_t left_out = 0;
  for (Plan& plan : plans) {
    std::set<std::string> lacks;
    const size_t here = remove_trials_without_files(plan, lacks);
    if (here == 0) continue;
    left_out += here;
    print_note(Note("left-out-trials",
                    fmt::format("left out {}, whose data or weights are missing: {}",
                                counted(here, "trial"), joined({lacks.begin(), lacks.end()}, "; ")),
                    Position{plan.file.string()}));
  }
  return left_out;
}

void print_notes(const std::vector<Plan>& plans, const CommandContext& context,
                 const po::variables_map& given, int slots) {
  for (const Plan& plan : plans) print_notes(plan.notes);
  if (const auto site = site_given(given); site && !runs_on_this_machine(*site)) return;
  print_notes(notes_on_gpus(plans, context, device_choice(given)));
  const size_t cores = usable_cpus();
  if (slots > static_cast<int>(cores)) {
    print_note(
        Note("too-many-slots",
             fmt::format("{} slots share {}, so each trial is slower than alone; without the "
                         "option, the number of slots fits the cores",
                         slots, counted(cores, "core")),
             Position{"--slots"}));
  }
}

}  // namespace rethink
