#include "app/driver/show/sweep_status.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/driver/cli/named_files.h"
#include "app/driver/cli/terminal.h"
#include "app/driver/run/progress.h"
#include "app/driver/show/rows.h"
#include "app/driver/show/trials/groups_by_cause.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/named_file.h"
#include "core/json.h"
#include "core/message.h"
#include "core/trial_state.h"
#include "experiments/plan/plan.h"
#include "experiments/plan/plan_report.h"
#include "experiments/plan/read/descriptions.h"
#include "experiments/plan/read/library.h"
#include "experiments/run/board.h"
#include "experiments/run/sweep_run.h"
#include "plots/text_format.h"
#include "results/database/sql_expressions.h"
#include "results/folders/sweep_files.h"
#include "results/query/recorded_sweeps.h"
#include "results/query/run_query.h"

namespace rethink {
namespace {

constexpr size_t kLeastIdDigits = 8;
constexpr size_t kStateWidth = 14;  // of a line, without id, title and numbers

bool is_failure(TrialState state) {
  return state == TrialState::failed || state == TrialState::diverged;
}

template <typename T>
std::optional<T> optional_of(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional<T>(value.get<T>());
}

bool may_lose_a_need(TrialState of_need) {
  return need_state(of_need, /*may_diverge=*/false) == NeedState::lost;
}

/// SQL for id and state, as a JSON array, of a lost need of `t`, which the view `trial` calls
/// blocked; null if it has none. A diverged need comes last: some slots allow it, and formats below
/// kSeriesFormat do not say which.
std::string lost_need_sql() {
  return fmt::format(
      "(SELECT json_array(n.need, d.state) FROM trial_need n JOIN trial d ON d.id = n.need WHERE "
      "n.trial = t.id AND d.state IN ({}) ORDER BY d.state = {}, d.state != {}, n.slot, n.position "
      "LIMIT 1)",
      sql_list(may_lose_a_need), sql_text(TrialState::diverged), sql_text(TrialState::failed));
}

/// "needs ID, which was cancelled". `need`: its id and state.
std::string lost_need_text(const Json& need) {
  const TrialState state = trial_state_named(need.at(1));
  const char* verb = state == TrialState::blocked     ? "is "
                     : state == TrialState::cancelled ? "was "
                                                      : "";
  return fmt::format("needs {}, which {}{}", need.at(0).get<std::string>(), verb, to_text(state));
}

/// SQL for the device of the running attempt of `t`; null without a running attempt.
std::string running_fact_sql(const std::string& name) {
  return "(SELECT e.value FROM environment e JOIN attempt a ON a.trial = e.trial AND a.number = "
         "e.attempt WHERE e.trial = t.id AND e.name = '" +
         name + "' AND a.outcome = '' ORDER BY e.attempt DESC LIMIT 1)";
}

/// Adds the index's facts about the trials, in one query. The reason of a diverged trial is its
/// last warning; the reason of a blocked trial is its need.
void read_details(std::vector<TrialStatus>& list, Store& store) {
  std::map<std::string, std::vector<TrialStatus*>> by_id;
  Json ids = Json::array();
  for (TrialStatus& status : list) {
    if (by_id[status.trial].empty()) ids.push_back(status.trial);
    by_id[status.trial].push_back(&status);
  }
  const QueryResult rows = run_query(
      store, "SELECT t.id, t.seed, " + reason_sql() +
                 ", p.attempt, p.step, p.steps, p.loss, p.steps_per_s, (SELECT sum(a.seconds) "
                 "FROM attempt a WHERE a.trial = t.id), (julianday('now') - julianday(" +
                 running_fact_sql("at") +
                 ")) * 86400, (SELECT a.outcome FROM attempt a WHERE a.trial = t.id AND a.number "
                 "= p.attempt), " +
                 running_fact_sql("gpu") + ", " + running_fact_sql("mps") +
                 ", iif(t.state = " + sql_text(TrialState::blocked) + ", " + lost_need_sql() +
                 ", NULL) FROM json_each(" + sql_text(ids.dump()) +
                 ") j JOIN trial t ON t.id = j.value LEFT JOIN progress p ON p.trial = t.id");
  for (const std::vector<Json>& row : rows.rows) {
    for (TrialStatus* status : by_id.at(row[0])) {
      status->seed = optional_of<int64_t>(row[1]);
      status->message = row[13].is_string()
                            ? lost_need_text(Json::parse(row[13].get<std::string>()))
                            : row[2].get<std::string>();
      // If the newest progress belongs to an ended attempt, the running attempt has only started.
      const bool is_earlier = status->state == TrialState::running && row[10].is_string() &&
                              !row[10].get<std::string>().empty();
      if (!row[3].is_null() && status->state != TrialState::done && !is_earlier) {
        status->progress = {.attempt = row[3],
                            .step = row[4],
                            .of = row[5],
                            .loss = optional_of<double>(row[6]),
                            .steps_per_s = optional_of<double>(row[7])};
      }
      status->seconds = optional_of<double>(row[8]);
      if (status->state != TrialState::running) continue;
      if (!row[9].is_null())
        status->seconds = status->seconds.value_or(0) + std::max(0.0, row[9].get<double>());
      if (row[11].is_string()) status->gpu = row[11];
      status->has_mps = !row[12].is_null();
    }
  }
}

std::string status_numbers(const TrialStatus& status) {
  const TrialProgress progress = status.progress.value_or(TrialProgress());
  std::string text;
  if (status.state == TrialState::running) {
    text = progress_text(status.progress ? std::optional(progress.step) : std::nullopt, progress.of,
                         progress.steps_per_s, progress.loss);
  } else if (progress.of > 0 && !is_failure(status.state)) {
    text = fmt::format("  {}/{}", progress.step, progress.of);
  }
  if (status.seconds) text += "  " + duration_text(*status.seconds);
  if (!status.gpu.empty())
    text += fmt::format("  on {}{}", status.gpu, status.has_mps ? ", by MPS" : "");
  return text;
}

bool has_explanation(const TrialStatus& status) {
  return !status.message.empty() && status.state != TrialState::done;
}

/// `begin_of_line` is the line up to the id.
std::string trial_line(const TrialStatus& status, const std::string& begin_of_line, int columns) {
  const std::string numbers = status_numbers(status);
  // The id is shortened before the title, which shows the varying key.
  const auto taken = [&](size_t digits) {
    return kStateWidth + digits + width_of(status.title) + width_of(numbers);
  };
  const size_t digits = taken(status.trial.size()) > static_cast<size_t>(columns)
                            ? kLeastIdDigits
                            : std::string::npos;
  const std::string begin = begin_of_line + status.trial.substr(0, digits) + "  ";
  const int room = columns - static_cast<int>(begin.size() + width_of(numbers));
  return begin + cut_middle(status.title, std::max(kLeastTitle, room)) + numbers;
}

std::string line_alone(const TrialStatus& status, int columns) {
  return trial_line(status, fmt::format("  {:<9} ", to_text(status.state)), columns) +
         (has_explanation(status) ? ": " + status.message : "") + "\n";
}

/// The cause, which may begin with the state, followed by its trials.
std::string lines_of_cause(const std::vector<const TrialStatus*>& group, size_t most, int columns) {
  const TrialStatus& first = *group.front();
  const std::string state = to_text(first.state), begin = state + ": ";
  const std::string cause =
      first.message.starts_with(begin) ? first.message.substr(begin.size()) : first.message;
  std::string text = fmt::format("  {}, {} trials: {}\n", state, group.size(), cause);
  for (size_t i = 0; i < std::min(group.size(), most); ++i)
    text += trial_line(*group[i], "    ", columns) + "\n";
  return text;
}

ChoiceStatus choice_status(const SweepFile& file, const TrialCounts& states) {
  ChoiceStatus choice{file.choice, file.source};
  for (const auto& [state, count] : states) {
    const auto trials = static_cast<size_t>(count);
    choice.trials += trials;
    if (state == TrialState::done) choice.done += trials;
    if (!is_final(state)) choice.left += trials;
  }
  return choice;
}

/// " (can.yaml is not there now)" if the sweep's file was moved.
std::string lost_file_text(const ChoiceStatus& choice) {
  if (choice.source.empty() || !is_surely_missing(choice.source)) return "";
  return fmt::format(" ({} is not there now)", seen_from_here(choice.source));
}

std::vector<std::string> choice_lines(const SweepStatus& status) {
  const bool several = status.choices.size() > 1;
  size_t left = 0;
  for (const auto& [state, trials] : status.counts)
    left += is_final(state) ? 0 : static_cast<size_t>(trials);
  // Trials that no run was to take are not resumed but started.
  const bool starts = left == status.not_started;
  std::vector<std::string> lines;
  for (const ChoiceStatus& choice : status.choices) {
    // A run would take the trials of the present files.
    const bool is_past = status.present.trials > 0 && status.present.trials == status.present.done;
    const bool resumable = choice.left > 0 && !status.has_driver && !is_past;
    if (!several && !resumable && choice.choice.empty()) continue;
    std::string line =
        several ? fmt::format("  {} of {} done, ", choice.done, choice.trials) : "  ";
    if (choice.command.empty()) {
      line += choice.choice + "\n";
    } else if (!resumable) {
      line += "by: " + choice.command + "\n";
    } else {
      line += (starts ? "to start these: " + choice.run : "resume with: " + choice.command) +
              lost_file_text(choice) + "\n";
    }
    // Two files may give the same line, for example after a checkout was moved or a merge.
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  }
  return lines;
}

/// With the profile: a store may have the sweep of several profiles.
std::string name_with_profile(const SweepStatus& status) {
  return status.sweep + (status.profile.empty() ? "" : " --profile " + status.profile);
}

/// A choice as a user must type it; recorded values have no quotation marks.
std::string choice_for_a_shell(const std::string& choice) {
  std::string words;
  for (const auto& [option, value] : options_of_choice(choice))
    words += fmt::format(" {} {}", for_a_shell(option), for_a_shell(value));
  return words;
}

std::string sweep_name(const SweepFile& file, const std::vector<std::filesystem::path>& paths) {
  if (file.source.empty()) return file.sweep;
  const std::filesystem::path source = file.source;
  return Library("sweeps", paths).name_of(source).value_or(seen_from_here(source));
}

/// The other options of its newest run, without those that `given` repeats or replaces.
std::string options_of_newest_run(const SweepFile& file, const po::variables_map& given) {
  std::set<std::filesystem::path> paths;
  if (given.count("path")) {
    for (const std::string& path : given["path"].as<std::vector<std::string>>())
      paths.insert(whole_path(path));
  }
  std::string words;
  for (const std::string& word : file.with) {
    const size_t equals = word.find('=');
    if (!word.starts_with("--") || equals == std::string::npos)
      continue;  // not an option of any version of rethink
    const std::string option = word.substr(0, equals), value = word.substr(equals + 1);
    if (option == "--path" ? paths.count(value) : given.count(option.substr(2))) continue;
    words += " " + for_a_shell(option) + " " + for_a_shell(seen_from_here(value));
  }
  return words;
}

}  // namespace

const std::set<TrialState>& states_listed_by_status() {
  static const std::set<TrialState> kListed = {TrialState::running, TrialState::failed,
                                               TrialState::diverged};
  return kListed;
}

std::string run_command_of(const SweepFile& file, const CommandContext& context,
                           const po::variables_map& given) {
  if (!file.choice.empty() && !file.choice.starts_with("--")) return "";
  return store_command("run " + for_a_shell(sweep_name(file, context.paths)) +
                           (file.profile.empty() ? "" : " --profile " + for_a_shell(file.profile)) +
                           choice_for_a_shell(file.choice) + options_of_newest_run(file, given) +
                           options_as_given(given, {"path", "data"}),
                       context.store);
}

std::string command_of(const SweepFile& file, const CommandContext& context,
                       const po::variables_map& given) {
  const auto entry = std::ranges::find_if(
      file.with, [](const std::string& word) { return word.starts_with(kCommandEntry); });
  if (entry == file.with.end()) return run_command_of(file, context, given);
  return store_command(entry->substr(kCommandEntry.size()) + options_of_newest_run(file, given) +
                           options_as_given(given, {"path", "data"}),
                       context.store);
}

SweepStatus sweep_status(const Sweep& sweep, Store& store, bool has_driver,
                         const std::set<std::string>& orphans, const std::set<TrialState>& listed) {
  SweepStatus status;
  status.sweep = sweep.sweep;
  status.profile = sweep.profile;
  status.has_driver = has_driver;
  const SweepStates states = states_of_sweep(store, sweep, listed);
  status.counts = states.counts;
  status.not_started = states.not_started;
  status.trials = states.trials;
  for (size_t i = 0; i < sweep.files.size(); ++i) {
    const SweepFile& file = sweep.files[i];
    status.choices.push_back(choice_status(file, states.of_files[i]));
    if (status.description.empty() && is_file_there(file.source))
      status.description = given_description(file.source);
  }
  const std::vector<std::string> working(orphans.begin(), orphans.end());
  const std::map<std::string, TrialState> state_of_orphan = store.states(working);
  for (const SweepMember& orphan : members_of_sweep(store, sweep, working)) {
    const auto state = state_of_orphan.find(orphan.trial);
    const bool is_cancelled =
        state != state_of_orphan.end() && state->second == TrialState::cancelled;
    (is_cancelled ? status.cancelled_orphans : status.orphans).insert(orphan.trial);
  }
  std::vector<std::string> shown;
  for (const auto& [trial, state] : states.listed) shown.push_back(trial);
  for (const SweepMember& member : members_of_sweep(store, sweep, shown)) {
    const TrialState state = states.listed.at(member.trial);
    status.list.push_back({member.trial, member.stage, "", member.labels, {}, state, "", {}, {}});
  }
  read_details(status.list, store);
  for (TrialStatus& trial : status.list)
    trial.title = title_of(trial.stage, trial.labels, trial.seed);
  return status;
}

namespace {

/// Trials with a reason are grouped by reason; others have their own lines.
std::string trial_lines(const SweepStatus& status, size_t most_failures, int columns) {
  std::vector<const TrialStatus*> with_reason;
  for (const TrialStatus& trial : status.list) {
    if (has_explanation(trial)) with_reason.push_back(&trial);
  }
  std::map<const TrialStatus*, std::vector<const TrialStatus*>> groups;  // by their first
  for (const auto& group : groups_by_cause(with_reason)) groups[group.front()] = group;
  const bool lists_all = with_reason.size() <= most_failures;
  std::string text;
  size_t failures = 0, causes = 0;
  for (const TrialStatus& trial : status.list) {
    const auto group = groups.find(&trial);
    if (has_explanation(trial) && group == groups.end())
      continue;  // listed in the group of another trial
    const size_t trials = group == groups.end() ? 1 : group->second.size();
    if (is_failure(trial.state) && causes++ >= most_failures) continue;
    const size_t most = lists_all ? trials : std::min(trials, kMostNamedOfACause);
    if (is_failure(trial.state)) failures += most;
    text += trials == 1 ? line_alone(trial, columns) : lines_of_cause(group->second, most, columns);
  }
  const auto all = static_cast<size_t>(std::ranges::count_if(
      status.list, [](const TrialStatus& trial) { return is_failure(trial.state); }));
  if (all > failures)
    text += fmt::format("  ... and {} more; --all lists every trial\n", all - failures);
  return text;
}

/// `to_text` of one sweep, without the lines of commands in `told`.
std::string text_without(const SweepStatus& status, const std::set<std::string>& told,
                         size_t most_failures, int columns) {
  std::string text = name_with_profile(status) +
                     (status.source.empty() ? "" : " (" + seen_from_here(status.source) + ")") +
                     ": ";
  const auto count = [&](TrialState state) {
    const auto found = status.counts.find(state);
    return found == status.counts.end() ? 0 : found->second;
  };
  text += fmt::format("{} of {} done", count(TrialState::done), status.trials);
  for (const TrialState state : kTrialStates) {
    const bool may_not_be_started = state == TrialState::waiting;
    const auto trials = static_cast<size_t>(count(state));
    const size_t others = trials - (may_not_be_started ? status.not_started : 0);
    if (state != TrialState::done && others > 0)
      text += fmt::format(", {} {}", others, to_text(state));
  }
  if (status.not_started > 0) text += fmt::format(", {} not started", status.not_started);
  text += "\n";
  if (!status.description.empty()) text += "  " + cut(status.description, columns - 2) + "\n";
  for (const std::string& line : choice_lines(status)) {
    if (!told.contains(line)) text += line;
  }
  if (status.waits_in_queue) text += "  waits in the queue of the driver\n";
  if (status.present.trials > 0) {
    text += fmt::format(
        "  these are the trials of the newest run; the files have changed since, and {} of the {} "
        "trials that they plan now are done\n",
        status.present.done, status.present.trials);
  }
  if (const std::string stale = stale_text(status.stale); !stale.empty())
    text += "  " + stale + "\n";
  return text + trial_lines(status, most_failures, columns);
}

}  // namespace

std::string to_text(const SweepStatus& status, size_t most_failures, int columns) {
  return text_without(status, {}, most_failures, columns);
}

std::string to_text(const std::vector<SweepStatus>& sweeps, size_t most_failures, int columns) {
  std::map<std::string, std::vector<std::string>> sweeps_of;  // by their line of a command
  size_t with_lines = 0;
  for (const SweepStatus& status : sweeps) {
    const std::vector<std::string> lines = choice_lines(status);
    with_lines += lines.empty() ? 0 : 1;
    for (const std::string& line : lines) sweeps_of[line].push_back(name_with_profile(status));
  }
  std::set<std::string> told;
  std::string below;
  for (const auto& [line, names] : sweeps_of) {
    if (names.size() < 2) continue;
    told.insert(line);
    below += (names.size() == with_lines ? "" : joined(names) + ": ") +
             line.substr(line.find_first_not_of(' '));
  }
  std::string text;
  for (const SweepStatus& status : sweeps)
    text += text_without(status, told, most_failures, columns);
  return text + below;
}

Json to_json(const SweepStatus& status) {
  Json counts = Json::object();
  for (const auto& [state, trials] : status.counts) counts[to_text(state)] = trials;
  Json list = Json::array();
  for (const TrialStatus& trial : status.list) {
    Json& item =
        list.emplace_back(Json{{"trial", trial.trial},
                               {"stage", trial.stage},
                               {"labels", trial.labels},
                               {"seed", trial.seed ? Json(*trial.seed) : Json()},
                               {"state", to_text(trial.state)},
                               {"message", trial.message},
                               {"seconds", trial.seconds ? Json(*trial.seconds) : Json()}});
    item["gpu"] = trial.gpu.empty() ? Json() : Json(trial.gpu);
    item["mps"] = trial.has_mps;
    for (const char* name : {"step", "of", "loss", "steps_per_s"}) item[name] = nullptr;
    if (!trial.progress) continue;
    item["step"] = trial.progress->step;
    item["of"] = trial.progress->of;
    if (trial.progress->loss) item["loss"] = *trial.progress->loss;
    if (trial.progress->steps_per_s) item["steps_per_s"] = *trial.progress->steps_per_s;
  }
  Json choices = Json::array();
  for (const ChoiceStatus& choice : status.choices) {
    choices.push_back({{"choice", choice.choice},
                       {"source", choice.source},
                       {"command", choice.command},
                       {"total", choice.trials},
                       {"done", choice.done}});
  }
  return {{"sweep", status.sweep}, {"profile", status.profile}, {"description", status.description},
          {"choices", choices},    {"total", status.trials},    {"counts", counts},
          {"trials", list},        {"stale", status.stale}};
}

}  // namespace rethink
