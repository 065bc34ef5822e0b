#include "app/driver/run/site_check.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <iostream>
#include <optional>

#include "core/clock.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/lock.h"
#include "core/files/unique_names.h"
#include "core/json.h"
#include "core/message.h"
#include "core/system/process.h"
#include "experiments/site/job_log.h"

namespace rethink {
namespace {

constexpr int kQuestions = 5;
constexpr double kMostAnswerSeconds = 60;  // for a question and its answer, each of them a new file
constexpr double kMostClockSeconds = 60;
/// The time from the end of the job until its files count as missing, since a listing may lag.
constexpr double kSettlingSeconds = 15;

void pause_ms(int milliseconds) {
  const timespec time{0, milliseconds * 1'000'000L};
  nanosleep(&time, nullptr);
}

/// Whether a listing of `folder` has `name`. Opening a file may fail for a while after another node
/// has made it, and the failure is cached, so the listing comes first.
bool is_listed(const std::filesystem::path& folder, const std::string& name) {
  DIR* entries = opendir(folder.c_str());
  if (!entries) return false;
  bool found = false;
  while (const dirent* entry = readdir(entries)) found = found || name == entry->d_name;
  closedir(entries);
  return found;
}

/// Returns false after `most_s`, or when `is_over` returns true.
bool wait_for_file(const std::filesystem::path& folder, const std::string& name, double most_s,
                   const std::function<bool()>& is_over) {
  const double end_s = monotonic_seconds() + most_s;
  while (!is_listed(folder, name)) {
    if (monotonic_seconds() > end_s || is_over()) return false;
    pause_ms(10);
  }
  return true;
}

double wall_seconds() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

std::string question_file(int number) {
  return fmt::format("question-{}", number);
}
std::string answer_file(int number) {
  return fmt::format("answer-{}", number);
}

/// Holds the lock of a file during its lifetime, unless another process has it.
struct HeldLock {
  explicit HeldLock(const std::filesystem::path& path)
      : file(open_file(path, O_RDWR | O_CREAT)), lock(FileLock::try_take(file.get(), path)) {}
  FileDescriptor file;
  std::optional<FileLock> lock;
};

/// The folder is removed with its contents, however the check ends.
struct SiteCheckFolder {
  explicit SiteCheckFolder(const std::filesystem::path& place)
      : path(whole_path(place) / (".rethink-doctor-" + new_uuid())) {
    std::filesystem::create_directories(path / "logs");
  }
  ~SiteCheckFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  SiteCheckFolder(const SiteCheckFolder&) = delete;
  SiteCheckFolder& operator=(const SiteCheckFolder&) = delete;
  std::filesystem::path path;
};

class SiteCheck {
 public:
  SiteCheck(const Site& site, const std::filesystem::path& place, bool quiet,
            const std::atomic<int>& signals)
      : site_(site), engine_(make_engine(site)), folder_(place), quiet_(quiet), signals_(signals) {}

  std::vector<Finding> run(std::vector<std::string> words) {
    const HeldLock ours(folder_.path / "lock-of-driver");
    words.push_back(folder_.path.string());
    const PilotCommand command{.words = std::move(words),
                               .logs = folder_.path / "logs",
                               .name = "rethink doctor",
                               .brief = true};
    job_ = engine_->submit(command, 1).at(0);
    submitted_s_ = monotonic_seconds();
    if (!quiet_) std::cerr << fmt::format("job {} of site {} is submitted\n", job_, site_.name);
    if (wait_for_job()) {
      read_node();
      measure_answer_times();
    }
    if (signals_ > 0) {
      engine_->cancel({job_});
      add("site job", fmt::format("job {} was cancelled", job_), true);
    }
    return findings_;
  }

 private:
  void add(const std::string& what, const std::string& text, bool bad = false) {
    findings_.push_back({what, text, bad});
  }

  /// Reports changes of the job's state in the queue to standard error.
  JobState look_at_queue() {
    const JobStatus status = engine_->states({job_}).at(job_);
    const char* word = status.state == JobState::pending   ? "waits"
                       : status.state == JobState::running ? "runs"
                       : status.state == JobState::ended   ? "has ended"
                                                           : "cannot be asked for";
    const std::string text = status.reason.empty()
                                 ? fmt::format("job {} {}", job_, word)
                                 : fmt::format("job {} {}: {}", job_, word, status.reason);
    if (text != said_ && !quiet_) std::cerr << text + "\n";
    said_ = text;
    return status.state;
  }

  bool wait_for_job() {
    std::optional<double> ended_s;
    const auto is_over = [&] {
      if (signals_ > 0) return true;
      if (!ended_s && look_at_queue() == JobState::ended) ended_s = monotonic_seconds();
      return ended_s && monotonic_seconds() > *ended_s + kSettlingSeconds;
    };
    if (wait_for_file(folder_.path, "node.json", 1e9, is_over)) return true;
    if (signals_ > 0) return false;
    const std::string log = end_of_job_log(folder_.path / "logs" / (job_ + ".log"));
    std::string text = fmt::format("job {} ended without an answer", job_);
    if (log.empty()) {
      text += fmt::format(
          " and without a log: its node does not see {}; put the store on a disk that all nodes "
          "share "
          "(--store)",
          folder_.path.parent_path().string());
    } else {
      text += ": " + log;
    }
    if (log.find("GLIBC") != std::string::npos) {
      text +=
          "; the node's C library is too old for this build: run it in a container (wrap: in the "
          "file of sites)";
    }
    add("site job", text, true);
    return false;
  }

  void read_node() {
    const Json node = parse_json(read_file(folder_.path / "node.json"), "the job's answer");
    add("site job",
        fmt::format("job {} ran on {}, {:.0f} s after it was submitted", job_,
                    node.at("host").get<std::string>(), monotonic_seconds() - submitted_s_));
    for (const Json& one : node.at("findings"))
      add("site " + one.at("what").get<std::string>(), one.at("text"), one.at("bad"));
    const bool keeps_out =
        node.at("is_kept_out").get<bool>() && is_locked(folder_.path / "lock-of-job");
    const bool is_same = node.at("boot_id").get<std::string>() == boot_id();
    add("site locks",
        is_same ? "not tried between nodes: the job ran on this machine"
        : keeps_out
            ? "locks hold between the nodes"
            : "a lock of one node keeps no other node out: pilots are safe, but give commands "
              "on the store from one machine only");
  }

  /// Asks questions and waits for the answers, each of them a new file.
  void measure_answer_times() {
    double longest_s = 0, clock_s = 0;
    for (int number = 0; number < kQuestions; ++number) {
      const double begun_s = monotonic_seconds();
      const double wall_s = wall_seconds();
      write_file_atomically(folder_.path / question_file(number), "?");
      if (!wait_for_file(folder_.path, answer_file(number), kMostAnswerSeconds,
                         [&] { return signals_ > 0; })) {
        if (signals_ > 0) return;
        add("site files",
            fmt::format(
                "no answer in {:.0f} s: a new file is not seen on the other node, or job {} ended",
                kMostAnswerSeconds, job_),
            true);
        return;
      }
      const double took_s = monotonic_seconds() - begun_s;
      const double theirs_s =
          parse_json(read_file(folder_.path / answer_file(number)), "the job's answer")
              .at("wall_s");
      if (number == 0 || took_s < longest_s) clock_s = theirs_s - (wall_s + took_s / 2);
      longest_s = std::max(longest_s, took_s);
    }
    add("site files",
        fmt::format("a new file is seen on the other node within {:.2f} s", longest_s / 2));
    const bool differs = std::abs(clock_s) > kMostClockSeconds;
    add("site clock",
        differs ? fmt::format(
                      "the node's clock is {:.0f} s {} ours; have the clocks set (NTP): times of "
                      "trials are wrong until then",
                      std::abs(clock_s), clock_s > 0 ? "ahead of" : "behind")
                : fmt::format("differs by {:.2f} s", std::abs(clock_s)),
        differs);
  }

  const Site& site_;
  std::unique_ptr<Engine> engine_;
  SiteCheckFolder folder_;
  bool quiet_;
  const std::atomic<int>& signals_;
  std::string job_, said_{};
  double submitted_s_ = 0;
  std::vector<Finding> findings_{};
};

}  // namespace

std::vector<Finding> check_site(const Site& site, const std::filesystem::path& place,
                                std::vector<std::string> words, bool quiet,
                                const std::atomic<int>& signals) {
  return SiteCheck(site, place, quiet, signals).run(std::move(words));
}

void answer_site_check(const std::filesystem::path& folder, const std::vector<Finding>& findings) {
  if (!std::filesystem::is_directory(folder)) {
    throw MachineError(
        "store-unusable",
        fmt::format(
            "{} does not exist on {}: put the store on a disk that all nodes share (--store)",
            folder.string(), host_name()));
  }
  const HeldLock ours(folder / "lock-of-job");
  const bool is_kept_out = !HeldLock(folder / "lock-of-driver").lock;
  Json node{{"host", host_name()},
            {"boot_id", boot_id()},
            {"is_kept_out", is_kept_out},
            {"findings", Json::array()}};
  for (const Finding& one : findings)
    node["findings"].push_back({{"what", one.what}, {"text", one.text}, {"bad", one.bad}});
  write_file_atomically(folder / "node.json", node.dump());
  for (int number = 0; number < kQuestions; ++number) {
    const bool is_asked =
        wait_for_file(folder, question_file(number), kMostAnswerSeconds, [] { return false; });
    if (!is_asked) return;
    write_file_atomically(folder / answer_file(number), Json{{"wall_s", wall_seconds()}}.dump());
  }
}

}  // namespace rethink
