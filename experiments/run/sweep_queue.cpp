#include "experiments/run/sweep_queue.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/clock.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/hash.h"
#include "core/files/owner.h"
#include "core/files/store_file.h"
#include "core/files/unique_names.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/stored_json.h"
#include "core/system/log.h"
#include "experiments/run/attempts/libtorch_here.h"
#include "experiments/run/gpu.h"
#include "experiments/run/pilots/store_pilots.h"
#include "experiments/run/slots.h"
#include "results/folders/store_lock.h"

namespace rethink {
namespace {

constexpr const char* kQueueEnding = ".run";
constexpr const char* kQueueOrders[] = {"after", "beside", "before"};
constexpr double kQueuePatience_s = 60;  // a driver plans the sweep before it answers

std::string order_text(QueueOrder order) {
  return kQueueOrders[static_cast<size_t>(order)];
}

/// The owner of a file; nothing if it is missing.
std::optional<uid_t> owner_of(const std::filesystem::path& file) {
  struct stat status {};
  return lstat(file.c_str(), &status) == 0 ? std::optional(status.st_uid) : std::nullopt;
}

std::filesystem::path normal_absolute(const std::filesystem::path& path) {
  return path.empty() ? path : std::filesystem::absolute(path).lexically_normal();
}

std::vector<std::string> texts_of_paths(const std::vector<std::filesystem::path>& paths) {
  std::vector<std::string> texts;
  for (const std::filesystem::path& path : paths) texts.push_back(normal_absolute(path).string());
  return texts;
}

std::vector<std::filesystem::path> paths_in(const Json& texts) {
  std::vector<std::filesystem::path> paths;
  for (const Json& text : texts) paths.emplace_back(text.get<std::string>());
  return paths;
}

/// "1 trial of a, b".
std::string sweeps_text(const std::vector<Plan>& plans) {
  std::vector<std::string> names;
  for (const Plan& plan : plans)
    names.push_back(plan.sweep + (plan.profile.empty() ? "" : " --profile " + plan.profile));
  return joined(names);
}

/// Why the sweeps cannot go to the driver that `owner` names; empty if they can.
std::string refusal_of(const Json& owner, const QueuedSweeps& sweeps,
                       const std::filesystem::path& store) {
  if (owner.value("command", "") != "run") return "which takes no sweeps";
  const std::optional<uid_t> user = owner_of(store / "lock");
  if (user && *user != geteuid())
    return fmt::format("a driver of {}, and a driver runs only sweeps of its own user",
                       user_name(*user));
  const std::string build = owner.value("build", "");
  if (build.empty()) return "a driver of a version without a queue";
  if (build != sweeps.build)
    return "a driver of another build of rethink, which could run other code than this one planned";
  return "";
}

}  // namespace

QueueOrder queue_order(const std::string& text) {
  for (const QueueOrder order : {QueueOrder::after, QueueOrder::beside, QueueOrder::before}) {
    if (text == order_text(order)) return order;
  }
  throw ConfigError(
      "invalid-value",
      fmt::format("--priority: got '{}', expected after, beside or before{}", text,
                  did_you_mean(text, {kQueueOrders[0], kQueueOrders[1], kQueueOrders[2]})));
}

std::string digest_of(const std::vector<Plan>& plans) {
  std::set<std::string> ids;
  for (const Plan& plan : plans) {
    for (const PlannedTrial& planned : plan.trials) ids.insert(planned.trial.id);
  }
  return sha256_hex(joined({ids.begin(), ids.end()}, "\n"));
}

std::string queue_request_text(const QueuedSweeps& sweeps) {
  const PlanChoices& choices = sweeps.choices;
  Json json = {{"files", texts_of_paths(sweeps.files)},
               {"profile", choices.profile},
               {"settings", choices.settings},
               {"of_several", choices.of_several},
               {"data", normal_absolute(choices.data).string()},
               {"paths", texts_of_paths(choices.paths)},
               {"may_lack_files", choices.may_lack_files},
               {"device", sweeps.device},
               {"with", sweeps.with},
               {"order", order_text(sweeps.order)},
               {"build", sweeps.build},
               {"trials", sweeps.trials},
               {"by", sweeps.by}};
  if (choices.only_stage) json["only"] = *choices.only_stage;
  if (choices.seeds) json["seeds"] = *choices.seeds;
  if (sweeps.only_trials) json["only_trials"] = *sweeps.only_trials;
  return stored_text(json);
}

QueuedSweeps queue_request_from(const std::string& text, const std::filesystem::path& file) {
  static const JsonShape kShape =
      object_with({{"files", list_of(any_text())},
                   {"profile", any_text()},
                   {"settings", list_of(any_text())},
                   {"of_several", true_or_false()},
                   {"data", any_text()},
                   {"paths", list_of(any_text())},
                   {"may_lack_files", true_or_false()},
                   {"device", any_text()},
                   {"with", list_of(any_text())},
                   {"order", one_of_texts({kQueueOrders[0], kQueueOrders[1], kQueueOrders[2]})},
                   {"build", any_text()},
                   {"trials", any_text()},
                   {"by", any_text()},
                   {"only", any_text(), false},
                   {"seeds", list_of(integer_from(0)), false},
                   {"only_trials", list_of(any_text()), false}});
  const Json json = sound_request(text, kShape, file);
  QueuedSweeps sweeps;
  sweeps.files = paths_in(json.at("files"));
  sweeps.choices.profile = json.at("profile");
  sweeps.choices.settings = json.at("settings").get<std::vector<std::string>>();
  sweeps.choices.of_several = json.at("of_several");
  sweeps.choices.data = json.at("data").get<std::string>();
  sweeps.choices.paths = paths_in(json.at("paths"));
  sweeps.choices.may_lack_files = json.at("may_lack_files");
  if (json.contains("only")) sweeps.choices.only_stage = json.at("only").get<std::string>();
  if (json.contains("seeds")) sweeps.choices.seeds = json.at("seeds").get<std::vector<int64_t>>();
  if (json.contains("only_trials"))
    sweeps.only_trials = json.at("only_trials").get<std::set<std::string>>();
  sweeps.device = json.at("device");
  sweeps.with = json.at("with").get<std::vector<std::string>>();
  sweeps.order = queue_order(json.at("order"));
  sweeps.build = json.at("build");
  sweeps.trials = json.at("trials");
  sweeps.by = json.at("by");
  return sweeps;
}

Machine machine_to_run_on(const std::string& device, const std::filesystem::path& programs) {
  return {.cores = usable_cores().size(),
          .device = device,
          .has_gpu = [programs] { return can_use_gpu(find_gpus(), programs); },
          .gpus = [] { return whole_gpus(find_gpus()); },
          .most_gpu_bytes = [] { return most_gpu_bytes(find_gpus()); }};
}

std::optional<RequestAnswer> hand_to_driver(QueuedSweeps sweeps,
                                            const std::filesystem::path& store) {
  sweeps.by = requester_text();
  const std::filesystem::path file = store / "requests" / (new_uuid() + kQueueEnding);
  bool is_left = false;
  for (const double until_s = monotonic_seconds() + kQueuePatience_s;
       monotonic_seconds() < until_s;) {
    // Checked before the lock: the driver may have answered and ended since.
    if (const auto answer = is_left ? take_answer(file) : std::nullopt) return answer;
    const std::optional<Json> owner = store_owner(store);
    if (!owner) {
      const auto answer = is_left ? take_answer(file) : std::nullopt;
      std::filesystem::remove(file);
      return answer;
    }
    if (const std::string refusal = owner->empty() ? "" : refusal_of(*owner, sweeps, store);
        !refusal.empty()) {
      std::filesystem::remove(file);
      throw MachineError("store-in-use",
                         fmt::format("{}: the store is in use by {}, {}; wait for it or stop it "
                                     "(Ctrl-C there), then give the "
                                     "same command again",
                                     store.string(), store_owner_text(*owner, store), refusal));
    }
    if (!is_left && !owner->empty()) {
      make_folder_durably(file.parent_path());
      write_file_durably(file, queue_request_text(sweeps));
      is_left = true;
    }
    const timespec pause{0, 50'000'000};
    nanosleep(&pause, nullptr);
  }
  std::filesystem::remove(file);
  const Json owner = store_owner(store).value_or(Json::object());
  if (owner.value("stopping", false)) {
    throw MachineError(
        "store-in-use",
        fmt::format("{}: the store is in use by {}, which did not end in {:g} s; "
                    "wait for it, then give the same command again",
                    store.string(), store_owner_text(owner, store), kQueuePatience_s));
  }
  throw MachineError("driver-silent",
                     fmt::format("{}: the store is in use by {}, which did not answer in {:g} s; "
                                 "is it stopped (Ctrl-Z; `fg` there continues it)? Wait for it or "
                                 "stop it (Ctrl-C there), then give the same command "
                                 "again",
                                 store.string(), store_owner_text(owner, store), kQueuePatience_s));
}

bool SweepQueue::has_requests(const std::filesystem::path& store) {
  return !request_files(store, kQueueEnding).empty();
}

/// Throws ConfigError if this driver would run the sweeps in another way than the requester.
void SweepQueue::require_mine(const QueuedSweeps& sweeps, const std::filesystem::path& file) const {
  const std::optional<uid_t> user = owner_of(file);
  if (!user || *user != geteuid()) {
    throw ConfigError(
        "store-in-use",
        fmt::format("the driver of {} runs only sweeps of its own user, and {} belongs to {}",
                    user_name(geteuid()), file.string(), user ? user_name(*user) : "nobody"));
  }
  if (choices_.fail_fast || choices_.max_trials) {
    throw ConfigError(
        "driver-differs",
        "the driver was started with --fail-fast or --max-trials, which would count the trials of "
        "all sweeps: wait for the driver, then give the same command again");
  }
  if (sweeps.build != schema_.build_id) {
    throw ConfigError(
        "driver-differs",
        "the driver is of another build of rethink: wait for it, then give the same command again");
  }
  if (normal_absolute(choices_.data) != sweeps.choices.data) {
    throw ConfigError(
        "driver-differs",
        fmt::format("the driver reads data sets from {}, this command from {}: give both the same "
                    "--data or "
                    "RETHINK_DATA, or wait for the driver",
                    choices_.data.empty() ? "no folder" : normal_absolute(choices_.data).string(),
                    sweeps.choices.data.empty() ? "no folder" : sweeps.choices.data.string()));
  }
}

std::unique_ptr<SweepQueue::Entry> SweepQueue::planned(const QueuedSweeps& sweeps) const {
  auto entry = std::make_unique<Entry>();
  PlanChoices choices = sweeps.choices;
  choices.machine = machine_to_run_on(sweeps.device, choices_.programs);
  std::set<std::string> lacks;
  for (const std::filesystem::path& file : sweeps.files) {
    Plan& plan = entry->plans.emplace_back(make_plan(file, choices, schema_));
    if (choices.may_lack_files) remove_trials_without_files(plan, lacks);
  }
  if (digest_of(entry->plans) != sweeps.trials) {
    throw ConfigError("driver-differs",
                      "the driver, which has another current folder and environment, would plan "
                      "other trials: write absolute paths in --set, or wait for the driver");
  }
  entry->choices = choices_;
  entry->choices.device = sweeps.device;
  entry->choices.with = sweeps.with;
  entry->choices.trials = sweeps.only_trials;
  entry->order = sweeps.order;
  return entry;
}

/// Returns whether another command with unfinished trials has recorded a sweep of the entry. The record does not show
/// which command's trials are cancelled.
bool SweepQueue::has_sweep_of(const Entry& entry, const Board& board,
                              const SweepBatch& first) const {
  const auto is_of = [&](const SweepBatch& batch) {
    return std::ranges::any_of(entry.plans, [&](const Plan& plan) { return batch.records(plan); });
  };
  const auto is_waiting = [&](const std::unique_ptr<Entry>& other) { return is_of(*other->batch); };
  const auto is_running = [&](const std::unique_ptr<Entry>& other) {
    return is_of(*other->batch) && other->batch->is_unfinished(board);
  };
  return (is_of(first) && first.is_unfinished(board)) ||
         std::ranges::any_of(waiting_, is_waiting) || std::ranges::any_of(running_, is_running);
}

void SweepQueue::take_in(const std::filesystem::path& file, const Board& board,
                         const SweepBatch& first) {
  // A driver did it already, but died before it could remove the request.
  if (std::filesystem::exists(std::filesystem::path(file).replace_extension(".answer"))) return;
  try {
    std::string text;
    try {
      text = read_store_file(file);
    } catch (const MachineError&) {  // it was withdrawn
      return;
    }
    const QueuedSweeps sweeps = queue_request_from(text, file);
    require_mine(sweeps, file);
    std::unique_ptr<Entry> entry = planned(sweeps);
    if (!std::filesystem::exists(file)) return;  // withdrawn during planning
    entry->batch =
        std::make_unique<SweepBatch>(entry->plans, schema_, entry->choices, store_, index_);
    // A worker that cannot start would end the driver with all running trials.
    if (const std::string job = entry->batch->job_with_libtorch();
        !job.empty() && !choices_.runner) {
      if (const std::string trouble = libtorch_trouble(fmt::format("job '{}'", job));
          !trouble.empty())
        throw ConfigError("missing-libtorch", trouble);
    }
    if (const std::string reason =
            reason_to_leave_to_pilots(store_, index_, entry->batch->unfinished_ids());
        !reason.empty())
      throw ConfigError("store-in-use", reason);
    entry->batch->record();
    std::vector<std::string> names;
    for (const Plan& plan : entry->plans) names.push_back(plan.sweep);
    lock_.add_sweeps(names);
    entry->title = fmt::format("{}, {}", sweeps_text(entry->plans),
                               counted(entry->batch->num_trials(), "trial"));
    listener_.notified(fmt::format("run by {}: {} {} the others", sweeps.by, entry->title,
                                   order_text(entry->order)));
    write_answer(file, true, {.text = entry->title, .shared = has_sweep_of(*entry, board, first)});
    waiting_.push_back(std::move(entry));
  } catch (const ConfigError& error) {
    write_answer(file, false, {.text = error.what(), .complete = false});
  }
}

/// Smaller ranks start first; the sweeps with which the run began have rank 0.
int SweepQueue::rank_of(const Entry& entry, const Board& board, const SweepBatch& first) {
  std::set<int> taken;
  if (first.is_unfinished(board)) taken.insert(0);
  for (const std::unique_ptr<Entry>& other : running_) {
    if (other->batch->is_unfinished(board)) taken.insert(other->rank);
  }
  if (taken.empty()) return 0;
  switch (entry.order) {
    case QueueOrder::before:
      return *taken.begin() - 1;
    case QueueOrder::beside:
      return *taken.begin();
    case QueueOrder::after:
      return *taken.rbegin() + 1;
  }
  return 0;
}

bool SweepQueue::admit(Entry& entry, Scheduler& scheduler, const SweepBatch& first) {
  if (const std::string title = entry.batch->weights_to_wait_for(scheduler); !title.empty()) {
    if (std::exchange(entry.said, title) != title) {
      listener_.notified(
          fmt::format("{}: waits for {}, whose weights it needs: these were not to be "
                      "kept, so the trial runs again",
                      entry.title, title));
    }
    return false;
  }
  if (!entry.said.empty()) entry.batch->record();  // somebody may have cancelled it since
  entry.rank = rank_of(entry, scheduler.board(), first);
  scheduler.record_changes();
  entry.batch->prepare(&scheduler);
  entry.batch->fill(scheduler, usable_, entry.rank, ++turns_);
  scheduler.extend();
  return true;
}

bool SweepQueue::look(Scheduler& scheduler, const SweepBatch& first) {
  if (scheduler.stopped()) return false;  // the requesting command continues by itself
  const std::vector<std::filesystem::path> files = request_files(store_, kQueueEnding);
  if (!files.empty()) scheduler.record_changes();  // and no transaction is open
  for (const std::filesystem::path& file : files) {
    take_in(file, scheduler.board(), first);
    std::filesystem::remove(file);
  }
  bool added = false;
  for (auto entry = waiting_.begin(); entry != waiting_.end();) {
    if (!admit(**entry, scheduler, first)) {
      ++entry;
      continue;
    }
    running_.push_back(std::move(*entry));
    entry = waiting_.erase(entry);
    added = true;
  }
  return added;
}

std::vector<std::string> SweepQueue::unfinished(const Board& board) const {
  std::vector<std::string> titles;
  for (const std::unique_ptr<Entry>& entry : running_) {
    if (entry->batch->is_unfinished(board)) titles.push_back(entry->title);
  }
  for (const std::unique_ptr<Entry>& entry : waiting_) titles.push_back(entry->title);
  return titles;
}

}  // namespace rethink
