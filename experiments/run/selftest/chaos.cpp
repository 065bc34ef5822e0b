#include "experiments/run/selftest/chaos.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <random>
#include <set>

#include "core/clock.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/json.h"
#include "core/store_files/event.h"
#include "core/store_files/trial_folder.h"
#include "core/system/kill_point.h"
#include "core/system/process.h"
#include "core/system/process_list.h"
#include "core/system/spawn.h"
#include "experiments/attempt/zygote/zygote_client.h"
#include "results/database/schema.h"
#include "results/folders/store_lock.h"
#include "results/folders/stored_trial.h"
#include "results/query/run_query.h"
#include "results/store/rebuild.h"
#include "results/store/store.h"

namespace rethink {
namespace {

constexpr const char* kOwnSweep = R"(sweep: selftest
seeds: [0, 1]
stages:
  first:
    job: noop
    steps: 12
    sleep_ms: 4
    checkpoint_every: 3
    grid: {tag: [a, b, c]}
  second:
    job: noop
    needs: {init: first}
    steps: 8
    sleep_ms: 4
    checkpoint_every: 3
)";

/// `kill_points`: an environment variable of core/system/kill_point.h, or empty.
pid_t start_run(const ChaosOptions& options, const std::filesystem::path& store,
                const std::string& kill_points) {
  const std::string rethink = options.rethink.string();
  const std::string log = (options.folder / "log").string();
  std::vector<std::string> words{rethink,   "run",          options.sweep.string(),
                                 "--store", store.string(), "--slots",
                                 "2",       "--device",     options.device};
  if (!options.profile.empty()) words.insert(words.end(), {"--profile", options.profile});
  std::vector<std::string> environment = environment_without_kill_points();
  if (!kill_points.empty()) environment.push_back(kill_points);
  const FileDescriptor nothing = open_file("/dev/null", O_RDONLY),
                       said = open_file(log, O_WRONLY | O_CREAT | O_APPEND);
  return spawn({.words = words,
                .environment = environment,
                .standard = {nothing.get(), said.get(), said.get()}});
}

void pause_ms(int64_t ms) {
  const timespec pause{ms / 1000, ms % 1000 * 1'000'000};
  nanosleep(&pause, nullptr);
}

/// The status of `pid` if it has ended; also reaps other children that this process adopted.
std::optional<int> ended(pid_t pid) {
  int status = 0;
  for (pid_t child; (child = waitpid(-1, &status, WNOHANG)) > 0;) {
    if (child == pid) return status;
  }
  return std::nullopt;
}

std::string last_line_of(const std::filesystem::path& file) {
  std::ifstream lines(file);
  std::string last;
  for (std::string line; std::getline(lines, line);) last = line;
  return last;
}

class Chaos {
 public:
  explicit Chaos(const ChaosOptions& options) : options_(options), random_(options.seed) {
    if (options.sweep.empty()) options_.sweep = options.folder / "selftest.yaml";
  }

  ChaosReport run() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    std::filesystem::create_directories(options_.folder);
    write_file_durably(options_.folder / "selftest.yaml", kOwnSweep);
    const std::filesystem::path quiet = options_.folder / "quiet";
    std::filesystem::remove_all(quiet);
    const std::filesystem::path points = options_.folder / "kill_points";
    std::filesystem::remove(points);
    const double begun_s = monotonic_seconds();
    if (const int status =
            run_to_end(start_run(options_, quiet, "RETHINK_KILL_LIST=" + points.string()));
        status != 0) {
      throw MachineError("program-failed",
                         fmt::format("an undisturbed run ended with {}: {}", how_ended(status),
                                     last_line_of(options_.folder / "log")));
    }
    // On a GPU the start alone takes seconds: with shorter waits no run would make progress.
    const double quiet_ms = (monotonic_seconds() - begun_s) * 1e3;
    longest_wait_ms_ = std::max<int64_t>(250, static_cast<int64_t>(quiet_ms / 8));
    expected_ = dump_store(quiet);
    std::ifstream names(points);
    for (std::string name; names >> name;) report_.points.insert(name);
    points_.assign(report_.points.begin(), report_.points.end());
    for (size_t round = 0; report_.kills < options_.kills && report_.good(); ++round) {
      run_store(options_.folder / fmt::format("store-{}", round));
    }
    return report_;
  }

 private:
  int run_to_end(pid_t pid) {
    for (;;) {
      if (const auto status = ended(pid)) return *status;
      pause_ms(2);
    }
  }

  int64_t number(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random_);
  }

  void run_store(const std::filesystem::path& store) {
    std::filesystem::remove_all(store);
    while (report_.kills < options_.kills) {
      report_.runs++;
      killed_ = {};
      std::filesystem::remove(store / "kill_point");
      const bool by_point = number(0, 2) == 0;
      const auto hit = static_cast<uint64_t>(number(1, 3));
      const std::string& point =
          points_[static_cast<size_t>(number(0, static_cast<int64_t>(points_.size()) - 1))];
      const pid_t driver = start_run(
          options_, store, by_point ? fmt::format("RETHINK_KILL_AT={}:{}", point, hit) : "");
      const int status = by_point ? run_to_end(driver) : disturb(driver);
      // The file has one byte for each hit.
      std::error_code never;
      const uint64_t hits = std::filesystem::file_size(store / "kill_point", never);
      const bool by_its_point = by_point && !never && hits >= hit;
      if (by_its_point) {
        // Or another process: a kill point does not record which process it hit.
        killed_.driver = true;
        report_.point_kills++;
        options_.killed(++report_.kills);
      }
      if (!explained(status)) return;
      if (status == 0) return compare(store);
    }
    report_.runs++;
    const int status = run_to_end(start_run(options_, store, ""));
    if (status != 0)
      report_.lost.push_back(
          fmt::format("the last run of {} ended with {}", store.string(), how_ended(status)));
    compare(store);
  }

  /// Whether a run ended in an allowed way; otherwise the problem is recorded.
  bool explained(int status) {
    const std::string how = unexplained_end(status, killed_);
    if (how.empty()) return true;
    report_.crashed.push_back(fmt::format("run {} ended with {}, which no kill explains; see {}",
                                          report_.runs, how, (options_.folder / "log").string()));
    return false;
  }

  /// Kills at random times until the driver has ended; returns its status.
  int disturb(pid_t driver) {
    for (;;) {
      for (int64_t left_ms = number(1, longest_wait_ms_); left_ms > 0; left_ms -= 2) {
        if (const auto status = ended(driver)) return *status;
        pause_ms(2);
      }
      kill_random_process(driver);
      if (killed_.driver || report_.kills >= options_.kills) return run_to_end(driver);
    }
  }

  size_t place_in(const std::vector<Process>& processes) {
    return static_cast<size_t>(number(0, static_cast<int64_t>(processes.size()) - 1));
  }

  /// Kills a driver, a zygote, a worker, or the program of a worker, each kind equally often.
  /// Prefers a zygote with workers, since beside a GPU's zygote there is an idle one for the CPU.
  /// Children of programs are not killed, since rethink does not control how programs handle that.
  void kill_random_process(pid_t driver) {
    std::vector<Process> zygotes, busy_zygotes, workers, of_programs;
    std::set<pid_t> parents, ours;
    for (const Process& process : descendants()) {
      // The zygote of programs is the driver's own program.
      const bool is_ours = process.name == "rethink-worker" || process.name == "rethink";
      if (process.pid == driver) continue;
      if (!is_ours) {
        of_programs.push_back(process);
        continue;
      }
      (process.parent == driver ? zygotes : workers).push_back(process);
      parents.insert(process.parent);
      ours.insert(process.pid);
    }
    std::ranges::copy_if(zygotes, std::back_inserter(busy_zygotes),
                         [&](const Process& zygote) { return parents.contains(zygote.pid); });
    std::erase_if(of_programs,
                  [&](const Process& process) { return !ours.contains(process.parent); });
    if (!busy_zygotes.empty()) zygotes = busy_zygotes;
    const int64_t kind = number(0, of_programs.empty() ? 2 : 3);
    pid_t victim = driver;
    if (kind == 1 && !zygotes.empty()) victim = zygotes[place_in(zygotes)].pid;
    if (kind == 2 && !workers.empty()) victim = workers[place_in(workers)].pid;
    if (kind == 3) victim = of_programs[place_in(of_programs)].pid;
    if (kind != 0 && victim == driver) return;
    if (kill(victim, SIGKILL) != 0) return;
    options_.killed(++report_.kills);
    size_t* const counts[] = {&report_.driver_kills, &report_.zygote_kills, &report_.worker_kills,
                              &report_.program_kills};
    ++*counts[kind];
    if (kind == 0) killed_.driver = true;
    if (kind == 1) killed_.zygotes++;
  }

  void compare(const std::filesystem::path& store) {
    const std::vector<std::string> found = dump_store(store);
    std::vector<std::string> missing, other;
    std::set_difference(expected_.begin(), expected_.end(), found.begin(), found.end(),
                        std::back_inserter(missing));
    std::set_difference(found.begin(), found.end(), expected_.begin(), expected_.end(),
                        std::back_inserter(other));
    std::ranges::move(missing, std::back_inserter(report_.lost));
    std::ranges::move(other, std::back_inserter(report_.different));
    std::ranges::move(overlapping_attempts(store), std::back_inserter(report_.doubled));
    std::ranges::move(differences_to_rebuild(store), std::back_inserter(report_.different));
    if (report_.good()) std::filesystem::remove_all(store);
  }

  ChaosOptions options_;
  std::mt19937_64 random_;
  int64_t longest_wait_ms_ = 0;  // before the next kill
  ChaosReport report_;
  KillsOfARun killed_;
  std::vector<std::string> expected_, points_;
};

/// Tables with the columns to compare.
using Tables = std::vector<std::pair<std::string, std::string>>;

/// Every row as a line, in order.
std::vector<std::string> lines_of(const std::filesystem::path& store_folder, const Tables& tables) {
  Store store(store_folder, Store::Access::read);
  std::vector<std::string> lines;
  for (const auto& [table, columns] : tables) {
    for (const auto& row :
         run_query(store, fmt::format("SELECT {} FROM {}", columns, table)).rows) {
      std::string line = table;
      for (const Json& value : row) line += " " + value.dump();
      lines.push_back(std::move(line));
    }
  }
  std::ranges::sort(lines);
  return lines;
}

/// The start of an attempt by its own clock; empty if it ended before it wrote anything.
std::string begun_at(const TrialFolder& folder, int64_t number) {
  std::string at;
  if (!std::filesystem::exists(folder.events(number))) return at;
  read_events(folder.events(number), 0, [&](const Json& event) {
    if (event_kind(event) == EventKind::start) at = event.value("at", "");
  });
  return at;
}

/// The time of an attempt's last event; empty without events.
std::string last_written_at(const TrialFolder& folder, int64_t number) {
  struct stat now {};
  return stat(folder.events(number).c_str(), &now) == 0 ? wall_time(now.st_mtim) : "";
}

}  // namespace

ChaosReport run_chaos(const ChaosOptions& options) {
  return Chaos(options).run();
}

std::string unexplained_end(int status, const KillsOfARun& kills) {
  if (WIFSIGNALED(status)) {
    if (WTERMSIG(status) == SIGKILL && kills.driver) return "";
    return how_ended(status);
  }
  const int code = WEXITSTATUS(status);
  const bool gave_up = code == 3 && kills.zygotes >= kMostZygoteDeaths;
  return code <= 1 || gave_up ? "" : how_ended(status);
}

std::vector<std::string> dump_store(const std::filesystem::path& store) {
  return lines_of(store, {{"trial", "id, state"},
                          {"metric", "trial, split, name, step, value"},
                          {"artifact", "trial, name, kind, sha256, bytes"}});
}

std::vector<std::string> differences_to_rebuild(const std::filesystem::path& store) {
  // Without columns that depend on history, such as the order of keys.
  Tables tables = {{"trial", "*"}, {"sweep", "*"}, {"sweep_trial", "*"}};
  for (const std::string table : kRecordsOfTrials) {
    if (table != "progress") tables.emplace_back(table, "*");  // progress is of a running trial
  }
  const std::vector<std::string> live = lines_of(store, tables);
  {
    const StoreLock lock = StoreLock::take(store, "db rebuild");
    rebuild(store);
  }
  const std::vector<std::string> rebuilt = lines_of(store, tables);
  std::vector<std::string> only_live, only_rebuilt;
  std::ranges::set_difference(live, rebuilt, std::back_inserter(only_live));
  std::ranges::set_difference(rebuilt, live, std::back_inserter(only_rebuilt));
  std::vector<std::string> differences;
  for (const std::string& line : only_live) differences.push_back("only live: " + line);
  for (const std::string& line : only_rebuilt) differences.push_back("only rebuilt: " + line);
  return differences;
}

std::vector<std::string> overlapping_attempts(const std::filesystem::path& store) {
  std::vector<std::string> found;
  for (const std::string& id : trials_in(store)) {
    const TrialFolder folder(store, id);
    std::string last_written;
    for (const int64_t number : folder.attempts()) {
      const std::string begun = begun_at(folder, number);
      if (!begun.empty() && begun < last_written)
        found.push_back(fmt::format("{} attempt {}", id, number));
      last_written = std::max(last_written, last_written_at(folder, number));
    }
  }
  return found;
}

}  // namespace rethink
