#include "experiments/run/requests.h"

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/clock.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/named_file.h"
#include "core/files/owner.h"
#include "core/files/store_file.h"
#include "core/files/unique_names.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/lease.h"
#include "core/store_files/result_file.h"
#include "core/store_files/stored_json.h"
#include "core/store_files/trial_folder.h"
#include "core/system/kill_point.h"
#include "core/system/log.h"
#include "core/system/process.h"
#include "experiments/attempt/trial_files.h"
#include "experiments/run/attempts/attempt_history.h"
#include "experiments/run/attempts/orphans.h"
#include "experiments/run/pilots/store_pilots.h"
#include "experiments/run/scheduler.h"
#include "results/folders/foreign_parts.h"
#include "results/folders/pilot_sets.h"
#include "results/folders/store_lock.h"
#include "results/folders/stored_trial.h"
#include "results/folders/sweep_files.h"
#include "results/query/trial_prefix.h"
#include "results/store/ingest.h"
#include "results/store/left_running.h"
#include "results/store/pilot_changes.h"
#include "results/store/store.h"

namespace rethink {
namespace {

/// Trials that `cancel` or `retry` does not change, by state.
using LeftAlone = std::map<TrialState, std::vector<std::string>>;

/// The trial's name in a command: the only one of `trials`, else TRIAL.
std::string one_of(const std::vector<std::string>& trials) {
  return trials.size() == 1 ? trials.front() : "TRIAL";
}

/// ": 1 is done, 2 are running"; empty if there are none.
std::string states_text(const LeftAlone& left) {
  std::vector<std::string> counts;
  for (const auto& [state, trials] : left)
    counts.push_back(
        fmt::format("{} {} {}", trials.size(), trials.size() == 1 ? "is" : "are", to_text(state)));
  return counts.empty() ? "" : ": " + joined(counts);
}

/// Advice for a cancellation of trials that have ended; empty if none have. `store_option` is "
/// --store DIR" if the requester must type it.
std::string advice_on_ended(const LeftAlone& left, const std::string& store_option) {
  std::vector<std::string> ended;
  for (const auto& [state, trials] : left) {
    if (state != TrialState::cancelled) ended.insert(ended.end(), trials.begin(), trials.end());
  }
  if (ended.empty()) return "";
  return fmt::format("; to remove one that has ended: rethink rm {}{}", one_of(ended),
                     store_option);
}

/// Advice for a retry of trials that retry cannot run again.
std::string advice_on_unretried(const LeftAlone& left, const std::string& store_option) {
  std::string text;
  if (const auto done = left.find(TrialState::done); done != left.end())
    text += fmt::format("; to have one that is done again: rethink rm {}{}, then run its sweep",
                        one_of(done->second), store_option);
  if (const auto running = left.find(TrialState::running); running != left.end()) {
    const std::string trial = one_of(running->second);
    text += fmt::format(
        "; to stop one that is running and let it run again: rethink cancel {0}{1} && rethink "
        "retry "
        "{0}{1}, then run its sweep",
        trial, store_option);
  }
  if (left.contains(TrialState::waiting) || left.contains(TrialState::ready))
    text += "; one that is waiting or ready runs without a retry: run its sweep";
  if (const auto blocked = left.find(TrialState::blocked); blocked != left.end())
    text += fmt::format(
        "; one that is blocked needs a trial that ended badly, which `rethink why "
        "{}{}` names: retry that one",
        one_of(blocked->second), store_option);
  return text;
}

constexpr double kAnswerPatience_s = 30;
constexpr double kSilence_s = 1;  // a driver looks for requests four times a second

std::string profile_text(const std::string& profile) {
  return profile.empty() ? "" : " --profile " + profile;
}

std::string choice_text(const std::string& choice) {
  return choice.empty() ? "" : " " + choice;
}

/// The meaning of a request's targets in a store.
class Targets {
 public:
  Targets(const Request& request, const std::filesystem::path& store)
      : sweeps_(read_sweep_files(store)) {
    for (const std::string& name : request.targets) {
      if (!take_sweeps(name, request) && !take_trial(name, store)) unknown(name, request);
    }
  }
  /// Trials in the order of the sweeps, each once.
  const std::vector<std::string>& trials() const { return trials_; }
  std::vector<SweepFile>& sweeps() { return sweeps_; }
  /// Whether the trial itself was named, and not only its sweep.
  bool is_single(const std::string& trial) const { return single_.count(trial) > 0; }
  /// Whether the sweep was named. For single trials, all sweeps that have them count.
  bool asked(const SweepFile& sweep, const std::string& trial) const {
    return asked_sweeps_.count(&sweep) || single_.count(trial);
  }

 private:
  static bool is_run_of(const SweepFile& sweep, const Request& request) {
    if (request.choice && *request.choice != sweep.choice) return false;
    const bool has_any = !request.profile && !request.choice;
    return has_any || request.profile.value_or("") == sweep.profile;
  }

  bool take_sweeps(const std::string& name, const Request& request) {
    bool found = false;
    for (const SweepFile& sweep : sweeps_) {
      if (!answers_to(sweep, name) || !is_run_of(sweep, request)) continue;
      found = true;
      asked_sweeps_.insert(&sweep);
      for (const SweepMember& member : sweep.members) add(member.trial);
    }
    return found;
  }

  bool take_trial(const std::string& name, const std::filesystem::path& store) {
    const std::string trial = trial_to_change(name, trials_in(store));
    if (trial.empty()) return false;
    single_.insert(trial);
    add(trial);
    return true;
  }

  void add(const std::string& trial) {
    if (seen_.insert(trial).second) trials_.push_back(trial);
  }

  [[noreturn]] void unknown(const std::string& name, const Request& request) const {
    const bool is_of_run = request.choice.has_value();
    std::set<std::string> known;
    for (const SweepFile& sweep : sweeps_) {
      if (is_of_run && !answers_to(sweep, name)) continue;
      known.insert(sweep.sweep + profile_text(sweep.profile) +
                   (is_of_run ? choice_text(sweep.choice) : ""));
    }
    throw ConfigError(
        "unknown-name",
        fmt::format("the store has no {} '{}'{}{}{}; its {}: {}",
                    is_of_run ? "run of a sweep" : "sweep or trial", name,
                    profile_text(request.profile.value_or("")),
                    choice_text(request.choice.value_or("")),
                    is_of_run && !known.empty() ? "" : did_you_mean_sweep(name, sweeps_),
                    is_of_run ? "runs" : "sweeps",
                    known.empty() ? "none" : joined({known.begin(), known.end()})));
  }

  std::vector<SweepFile> sweeps_;
  std::set<const SweepFile*> asked_sweeps_;
  std::set<std::string> single_, seen_;
  std::vector<std::string> trials_;
};

/// Writes the sweeps whose cancellations `change` changes. Returns whether any sweep needs a trial.
template <typename Change>
void change_sweeps(Targets& targets, const std::filesystem::path& store, Store& index,
                   Change change) {
  std::set<std::pair<std::string, std::string>> asked_sweeps;
  for (SweepFile& sweep : targets.sweeps()) {
    const std::set<std::string> before = sweep.cancelled;
    bool asked = false;
    for (const SweepMember& member : sweep.members) {
      if (!targets.asked(sweep, member.trial)) continue;
      asked = true;
      change(sweep, member.trial);
    }
    if (sweep.cancelled != before) {
      write_sweep_file(store, sweep);
      kill_point("after_cancellation");
    }
    if (asked) asked_sweeps.emplace(sweep.sweep, sweep.profile);
  }
  // Unchanged sweeps are stored too, since the process that changed them may have died before this step.
  for (const Sweep& sweep : united(targets.sweeps())) {
    if (asked_sweeps.count({sweep.sweep, sweep.profile})) index.put_sweep(sweep);
  }
}

bool is_wanted(const std::vector<SweepFile>& sweeps, const std::string& trial) {
  return std::any_of(sweeps.begin(), sweeps.end(), [&](const SweepFile& sweep) {
    const bool has = std::any_of(sweep.members.begin(), sweep.members.end(),
                                 [&](const SweepMember& member) { return member.trial == trial; });
    return has && !sweep.cancelled.count(trial);
  });
}

bool may_be_cancelled(TrialState state) {
  return !is_recorded_in_folder(state);
}

/// Records the cancellation of a trial that does not run. The files of its sweeps have it already; a
/// trial in no sweep gets it in its folder, since a rebuild reads nothing else.
void give_up(Store& index, const std::filesystem::path& store, const std::string& trial) {
  index.set_state(trial, TrialState::waiting);
  const std::optional<TrialRow> row = index.trial(trial);
  if (row && row->state == TrialState::cancelled) return;
  const std::filesystem::path folder = trial_folder(store, trial);
  if (const std::string problem = unwritable_part(folder); !problem.empty())
    throw ConfigError("file-error", problem);
  write_trial_state(folder, TrialState::cancelled, "");
  kill_point("after_cancellation");
  index.set_state(trial, TrialState::cancelled);
}

AppliedRequest cancel(const Request& request, Targets& targets, const std::filesystem::path& store,
                      Store& index, Scheduler* scheduler) {
  const std::map<std::string, TrialState> states = index.states(targets.trials());
  const auto state_of = [&](const std::string& trial) {
    const auto known = states.find(trial);
    return known == states.end() ? TrialState::waiting : known->second;
  };
  change_sweeps(targets, store, index, [&](SweepFile& sweep, const std::string& trial) {
    if (may_be_cancelled(state_of(trial))) sweep.cancelled.insert(trial);
  });
  std::set<std::string> cancelled;
  std::vector<Orphan> orphans, unreachable;
  const bool has_pilots = !PilotSet::all(store).empty();
  size_t shared = 0, left_to_pilots = 0;
  std::map<std::string, TrialState> ended;
  for (const std::string& trial : targets.trials()) {
    const bool was_cancelled = state_of(trial) == TrialState::cancelled;
    if (!may_be_cancelled(state_of(trial))) ended[trial] = state_of(trial);
    if (ended.contains(trial) && !was_cancelled) continue;
    if (is_wanted(targets.sweeps(), trial)) {
      if (!was_cancelled) shared++;
      continue;
    }
    if (!was_cancelled) cancelled.insert(trial);
    if (scheduler && scheduler->board().has(trial)) {
      const std::string problem = scheduler->cancel(trial);
      if (!problem.empty())
        unreachable.push_back({.folder = TrialFolder(store, trial), .problem = problem});
      // The end of a running attempt records it.
      const bool has_ended = scheduler->board().state(trial) == TrialState::cancelled;
      if (!was_cancelled && has_ended) give_up(index, store, trial);
      continue;
    }
    if (!was_cancelled) give_up(index, store, trial);
    const TrialFolder folder(store, trial);
    if (has_pilots) write_stop(folder.path());
    if (has_worker_elsewhere(folder.path())) {
      ++left_to_pilots;
    } else if (has_running_worker(folder)) {
      orphans.push_back({folder});
    }
  }
  auto [stopped, finished, going_on] = stop_orphans(orphans, index, scheduler != nullptr);
  going_on.insert(going_on.end(), unreachable.begin(), unreachable.end());
  for (const auto& [trial, state] : finished) {
    clear_trial_state(trial_folder(store, trial));
    cancelled.erase(trial);
    ended[trial] = state;
  }
  LeftAlone left;
  bool left_single = false;
  for (const auto& [trial, state] : ended) {
    left[state].push_back(trial);
    left_single |= state != TrialState::cancelled && targets.is_single(trial);
  }
  std::string text = fmt::format("cancelled {}", counted(cancelled.size(), "trial"));
  const bool has_explanation = left_single || (cancelled.empty() && shared == 0);
  if (has_explanation) text += states_text(left);
  if (shared > 0) text += fmt::format("; {} stay: another sweep wants them", shared);
  if (has_pilots && stopped > 0)
    text += fmt::format("; stopped {} of pilots", counted(std::exchange(stopped, 0), "worker"));
  if (left_to_pilots > 0)
    text += fmt::format("; pilots on other machines end {} within seconds",
                        counted(left_to_pilots, "worker"));
  if (const size_t waiting = has_pilots ? cancel_waiting_pilots(store, index) : 0; waiting > 0)
    text += fmt::format("; took {} out of the queue", counted(waiting, "waiting pilot"));
  return {.text = text + orphans_text(stopped, going_on),
          .advice = has_explanation ? advice_on_ended(left, request.store_option) : "",
          .complete = going_on.empty() && !left_single,
          .trials = cancelled};
}

/// The values that `--only` selects: the outcome of the last attempt, and the state.
bool is_chosen(const std::set<std::string>& only, const TrialRow& row, const Store& index) {
  if (only.empty() || only.count(to_text(row.state))) return true;
  const std::vector<AttemptRow> attempts = index.attempts(row.id);
  return row.state == TrialState::failed && !attempts.empty() && attempts.back().outcome &&
         only.count(to_text(*attempts.back().outcome));
}

/// A result that does not count: the trial must run again, whatever the database says. `by_name`:
/// the user named the trial, so its events must be there and agree with the result.
bool has_damaged_result(const std::filesystem::path& store, const std::string& trial,
                        bool by_name) {
  const TrialFolder folder(store, trial);
  const auto result = by_name ? proved_result(folder.result()) : stored_result(folder.result());
  if (!result) return false;
  return !result->is_sound() || (by_name && !trial_events_are_whole(folder.path()));
}

/// Retrying a diverged trial helps only if something outside the trial has changed.
std::string advice_on_diverged(size_t diverged, size_t retried) {
  if (diverged == 0) return "";
  const std::string which = diverged < retried ? fmt::format("{} of them", diverged)
                            : diverged == 1    ? "it"
                                               : "they";
  return fmt::format(
      "; {} diverged, and with the same settings, seed and code will diverge again, to the same "
      "bits: change the settings, first to a smaller learning rate",
      which);
}

AppliedRequest retry(const Request& request, Targets& targets, const std::filesystem::path& store,
                     Store& index, Scheduler* scheduler) {
  std::set<std::string> again, diverged;
  LeftAlone left;
  bool left_single = false;
  size_t not_meant = 0;
  for (const std::string& trial : targets.trials()) {
    const std::optional<TrialRow> row = index.trial(trial);
    if (!row) continue;
    const std::string linked = linked_part(trial_folder(store, trial));
    if (!linked.empty()) throw ConfigError("linked-file", linked);
    // Files that somebody keeps in the folder are not removed.
    const std::filesystem::path result = TrialFolder(store, trial).result();
    if (std::filesystem::is_directory(result))
      throw ConfigError("damaged-file", store_file_problem(result));
    const bool is_left_out = request.not_meant.contains(trial) && !targets.is_single(trial);
    if (has_damaged_result(store, trial, targets.is_single(trial))) {
      again.insert(trial);
    } else if (row->state != TrialState::failed && row->state != TrialState::diverged &&
               row->state != TrialState::cancelled) {
      left[row->state].push_back(trial);
      left_single |= row->state != TrialState::waiting && row->state != TrialState::ready &&
                     targets.is_single(trial);
    } else if (is_chosen(request.only, *row, index)) {
      is_left_out ? ++not_meant : again.insert(trial).second;
      if (!is_left_out && row->state == TrialState::diverged) diverged.insert(trial);
    }
  }
  change_sweeps(targets, store, index, [&](SweepFile& sweep, const std::string& trial) {
    if (again.count(trial)) sweep.cancelled.erase(trial);
  });
  for (const std::string& trial : again) {
    const TrialFolder folder(store, trial);
    forgive(folder);
    ingest_events(index, folder.path());  // reads which attempts are forgiven
    if (scheduler && scheduler->board().has(trial)) {
      scheduler->retry(trial);
    } else {
      index.set_state(trial, TrialState::waiting);
    }
  }
  const bool has_explanation = (again.empty() && not_meant == 0) || left_single;
  const std::string left_out =
      not_meant == 0 ? ""
                     : fmt::format(
                           "; left out {} that the sweep does not have any more: name a "
                           "trial by its id to retry it",
                           counted(not_meant, "trial"));
  return {.text = counted(again.size(), "trial") + " may run again" +
                  (has_explanation ? states_text(left) : "") + left_out,
          .advice = (has_explanation ? advice_on_unretried(left, request.store_option) : "") +
                    advice_on_diverged(diverged.size(), again.size()),
          .complete = !left_single,
          .trials = again};
}

const char* kind_text(Request::Kind kind) {
  return kind == Request::Kind::cancel ? "cancel" : "retry";
}

/// "cancel by ada, process 4711 on host: cancelled 2 trials: ID TITLE, ID TITLE"
std::string log_text(const Request& request, const AppliedRequest& applied,
                     const Scheduler* scheduler) {
  constexpr size_t kMostNamed = 5;
  std::vector<std::string> named;
  for (const std::string& trial : applied.trials) {
    if (named.size() == kMostNamed) break;
    const bool has_title = scheduler && scheduler->board().has(trial);
    named.push_back(trial + (has_title ? " " + title_of(scheduler->board().trial(trial)) : ""));
  }
  if (applied.trials.size() > kMostNamed) named.push_back("...");
  return fmt::format("{} by {}: {}{}", kind_text(request.kind), request.by, applied.text,
                     named.empty() ? "" : ": " + joined(named));
}

/// Why requests in the store's folder cannot be read or written; empty if they can.
std::string requests_problem(const std::filesystem::path& folder) {
  std::error_code none;
  if (!std::filesystem::is_symlink(folder, none)) return store_folder_problem(folder);
  return fmt::format(
      "{}: is a link, which is not followed: no request is read or written there; "
      "remove the link",
      folder.string());
}

/// The name of a sweep's file as a driver in another folder reads it; other names as they are.
std::string whole_name(const std::string& target) {
  const std::filesystem::path file = target;
  const bool is_of_sweep = file.extension() == ".yaml" || file.extension() == ".yml";
  return is_of_sweep && is_file_there(file) ? whole_path(file).string() : target;
}

/// A driver checks four times a second.
void warn_once(const std::string& problem) {
  static std::set<std::string> said;
  if (said.insert(problem).second) log_warning(problem);
}

/// The owner of the store: "the driver, process 4711 on host,".
std::string driver_of(const std::filesystem::path& store) {
  const Json owner = store_owner(store).value_or(Json::object());
  if (owner.empty()) return "the driver, " + store_owner_text(owner, store) + ",";
  return fmt::format("the driver, process {} on {},", owner.value("pid", 0),
                     owner.value("host", "?"));
}

}  // namespace

std::optional<RequestAnswer> take_answer(const std::filesystem::path& file) {
  const std::filesystem::path answer_file =
      std::filesystem::path(file).replace_extension(".answer");
  if (!std::filesystem::exists(answer_file)) return std::nullopt;
  static const JsonShape kAnswer = object_with({{"good", true_or_false()},
                                                {"text", any_text()},
                                                {"complete", true_or_false(), false},
                                                {"shared", true_or_false(), false}});
  const StoredJson answer = read_stored_json(answer_file, kAnswer);
  std::filesystem::remove(file);
  std::filesystem::remove(answer_file);
  if (!answer.is_sound()) {
    throw MachineError(
        "damaged-file",
        fmt::format("{} is damaged ({}): `{}` shows whether the driver did what this command asked",
                    answer_file.string(), answer.damage,
                    store_command("status", file.parent_path().parent_path())));
  }
  const std::string text = answer.object.at("text");
  if (!answer.object.at("good")) throw ConfigError("request-refused", text);
  return RequestAnswer{.text = text,
                       .complete = answer.object.value("complete", true),
                       .shared = answer.object.value("shared", false)};
}

std::string requester_text() {
  return fmt::format("{}, process {} on {}", user_name(geteuid()), getpid(), host_name());
}

void write_answer(const std::filesystem::path& file, bool good, const RequestAnswer& answer) {
  write_file_atomically(std::filesystem::path(file).replace_extension(".answer"),
                        stored_text({{"good", good},
                                     {"text", answer.text},
                                     {"complete", answer.complete},
                                     {"shared", answer.shared}}));
}

std::string request_text(const Request& request) {
  Json json{{"kind", kind_text(request.kind)},
            {"targets", request.targets},
            {"only", request.only},
            {"by", request.by}};
  if (!request.not_meant.empty()) json["not_meant"] = request.not_meant;
  if (request.profile) json["profile"] = *request.profile;
  if (request.choice) json["choice"] = *request.choice;
  if (!request.store_option.empty()) json["store_option"] = request.store_option;
  return stored_text(json);
}

Json sound_request(const std::string& text, const JsonShape& shape,
                   const std::filesystem::path& file) {
  StoredJson stored = stored_json(text, shape);
  if (!stored.is_sound()) {
    throw ConfigError("damaged-file",
                      fmt::format("{} is damaged ({}): nothing was done; give the command again",
                                  file.string(), stored.damage));
  }
  return std::move(stored.object);
}

Request request_from(const std::string& text, const std::filesystem::path& file) {
  static const JsonShape kRequest = object_with({{"kind", one_of_texts({"cancel", "retry"})},
                                                 {"targets", list_of(any_text())},
                                                 {"only", list_of(any_text())},
                                                 {"not_meant", list_of(any_text()), false},
                                                 {"by", any_text(), false},
                                                 {"store_option", any_text(), false},
                                                 {"profile", any_text(), false},
                                                 {"choice", any_text(), false}});
  const Json json = sound_request(text, kRequest, file);
  Request request;
  request.kind = json.at("kind") == "cancel" ? Request::Kind::cancel : Request::Kind::retry;
  request.targets = json.at("targets").get<std::vector<std::string>>();
  request.only = json.at("only").get<std::set<std::string>>();
  request.not_meant = json.value("not_meant", std::set<std::string>());
  request.by = json.value("by", "somebody");
  request.store_option = json.value("store_option", "");
  if (json.contains("profile")) request.profile = json.at("profile").get<std::string>();
  if (json.contains("choice")) request.choice = json.at("choice").get<std::string>();
  return request;
}

AppliedRequest apply_request(const Request& request, const std::filesystem::path& store,
                             Store& index, Scheduler* scheduler) {
  Targets targets(request, store);
  // The index lags behind: it lacks endings since the last check, or since a driver was killed.
  if (scheduler) scheduler->record_changes();
  if (!scheduler) take_in_pilots(index, store);
  if (!scheduler) take_over(index, store, left_running(index, store));
  return request.kind == Request::Kind::cancel ? cancel(request, targets, store, index, scheduler)
                                               : retry(request, targets, store, index, scheduler);
}

/// Nothing for a request that was withdrawn, and for a name that is not a file, which is reported;
/// the run continues.
std::optional<std::string> text_of_request(const std::filesystem::path& file) {
  try {
    return read_store_file(file);
  } catch (const MachineError&) {
    return std::nullopt;
  } catch (const DamagedFile& error) {
    warn_once(fmt::format("{}; no request is read there", error.what()));
    return std::nullopt;
  }
}

std::vector<std::filesystem::path> request_files(const std::filesystem::path& store,
                                                 std::string_view ending) {
  const std::filesystem::path folder = store / "requests";
  if (const std::string problem = requests_problem(folder); !problem.empty()) {
    warn_once(problem);
    return {};
  }
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    if (entry.path().extension() == ending) files.push_back(entry.path());
  }
  return files;
}

std::vector<std::string> answer_requests(const std::filesystem::path& store, Store& index,
                                         Scheduler* scheduler) {
  std::vector<std::string> said;
  for (const std::filesystem::path& file : request_files(store, ".json")) {
    const std::filesystem::path answer_file =
        std::filesystem::path(file).replace_extension(".answer");
    // A driver did it already, but died before it could remove the request.
    if (!std::filesystem::exists(answer_file)) {
      const std::optional<std::string> text = text_of_request(file);
      if (!text) continue;
      Json answer;
      try {
        const Request request = request_from(*text, file);
        const AppliedRequest applied = apply_request(request, store, index, scheduler);
        answer = {{"good", true},
                  {"text", applied.text + applied.advice},
                  {"complete", applied.complete}};
        said.push_back(log_text(request, applied, scheduler));
      } catch (const ConfigError& error) {
        answer = {{"good", false}, {"text", error.what()}};
      }
      kill_point("before_answer");
      write_file_atomically(answer_file, stored_text(answer));
      kill_point("after_answer");
    }
    std::filesystem::remove(file);
  }
  return said;
}

RequestAnswer submit_request(Request request, const std::filesystem::path& store) {
  if (!std::filesystem::exists(store / "sweeps")) {
    throw ConfigError("no-store", fmt::format("{}: there is no store here; give --store DIR, or "
                                              "make one with `{}`",
                                              store.string(), store_command("run SWEEP", store)));
  }
  const std::string problem = requests_problem(store / "requests");
  if (!problem.empty()) throw MachineError("store-unusable", problem);
  set_kill_point_folder(store);
  request.by = requester_text();
  request.store_option = store_option(store);
  for (std::string& target : request.targets) target = whole_name(target);
  const std::filesystem::path file = store / "requests" / (new_uuid() + ".json");
  const double until_s = monotonic_seconds() + kAnswerPatience_s;
  bool asked = false, has_logged = false;
  while (monotonic_seconds() < until_s) {
    const auto lock =
        StoreLock::try_take(store, request.kind == Request::Kind::cancel ? "cancel" : "retry");
    // Checked even if this process has the lock, since the driver may have answered and ended since the last check.
    if (const auto answer = take_answer(file)) return *answer;
    if (lock) {
      std::filesystem::remove(file);
      Store index(store, Store::Access::write);
      answer_requests(store, index, nullptr);
      const AppliedRequest applied = apply_request(request, store, index, nullptr);
      return {applied.text + applied.advice, applied.complete};
    }
    if (!has_logged && monotonic_seconds() > until_s - kAnswerPatience_s + kSilence_s) {
      log_info(
          fmt::format("waits up to {:g} s for {} to answer", kAnswerPatience_s, driver_of(store)));
      has_logged = true;
    }
    if (!asked) {
      std::filesystem::create_directories(file.parent_path());
      write_file_durably(file, request_text(request));
      asked = true;
    }
    const timespec pause{0, 20'000'000};
    nanosleep(&pause, nullptr);
  }
  std::filesystem::remove(file);
  throw MachineError(
      "driver-silent",
      fmt::format(
          "{}: {} did not answer in {:g} s; is it stopped (Ctrl-Z; `fg` there continues it)?",
          store.string(), driver_of(store), kAnswerPatience_s));
}

}  // namespace rethink
