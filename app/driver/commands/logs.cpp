// `rethink logs TRIAL`: prints the metrics, output and reports of a trial's attempts; --follow
// waits for more.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "app/driver/command.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/lock.h"
#include "core/files/store_file.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/attempt_end.h"
#include "core/store_files/event.h"
#include "core/store_files/line_ends.h"
#include "core/store_files/trial_folder.h"
#include "results/folders/store_lock.h"
#include "results/folders/stored_trial.h"
#include "results/query/trial_prefix.h"

namespace rethink {
namespace {

constexpr std::chrono::milliseconds kLookEvery{250};
// Lines that are sorted at once, since a log may have millions.
constexpr size_t kMostBuffered = 10'000;

/// Prints the new lines of an attempt's log, events and end, and nothing twice: a failure is in all
/// three.
class AttemptTail {
 public:
  /// `only_errors`: prints only the program's standard error, unchanged.
  AttemptTail(std::filesystem::path folder, bool only_errors)
      : folder_(std::move(folder)),
        log_{folder_ / kLogFile, "", 0, ""},
        errors_{folder_ / kErrorsFile, only_errors ? "" : "stderr: ", 0, ""},
        only_errors_(only_errors) {}

  void print_new() {
    if (!only_errors_) {
      print_events();
      print_lines(log_);
    }
    print_lines(errors_);
    if (!only_errors_) print_end();
    std::cout.flush();
  }

  /// Prints an unfinished last line.
  void finish() {
    for (PrintedFile* file : {&log_, &errors_}) {
      if (!file->rest.empty()) print_line(*file, file->rest + "\n");
      file->rest.clear();
    }
  }

 private:
  /// An output file of the attempt, and how much of it was printed.
  struct PrintedFile {
    std::filesystem::path path;
    const char* label;  // before each line
    uint64_t read = 0;
    std::string rest;  // an unfinished line
  };

  /// "score@best": a value that was already printed.
  static bool is_summary(const Json& metric) {
    return metric.value("name", "").find('@') != std::string::npos;
  }

  /// JSON has no infinity and no NaN, so events have them as words.
  static std::string value_text(const Json& value) {
    return value.is_string() ? value.get<std::string>()
                             : fmt::format("{:.6g}", value.get<double>());
  }

  /// A diverged training records its last steps after its warning, so lines are sorted by step,
  /// with a message after its step.
  struct BufferedLine {
    std::pair<int64_t, bool> order;  // step, and whether it is a message
    std::string text;
  };

  void buffer_line(const std::pair<int64_t, bool>& order, std::string text) {
    buffered_.push_back({order, std::move(text)});
    if (buffered_.size() >= kMostBuffered) print_buffered();
  }

  void print_buffered() {
    std::ranges::stable_sort(buffered_, {}, &BufferedLine::order);
    for (const BufferedLine& line : buffered_) std::cout << line.text;
    buffered_.clear();
  }

  /// Prints the start, end, metrics, warnings and errors from the events.
  void print_events() {
    const std::filesystem::path file = folder_ / kEventsFile;
    if (damaged_ || !std::filesystem::exists(file)) return;
    if (store_file_problem(file).empty() && !line_ends_.added(file)) return;
    const EventRead read = read_events(file, events_read_, [this](const Json& event) {
      const EventKind kind = event_kind(event);
      if (kind == EventKind::start) {
        const std::optional<int64_t> step = resume_step_of(event);
        print_buffered();
        std::cout << fmt::format("== start {}{}\n", step ? fmt::format("at step {} ", *step) : "",
                                 event.value("at", ""));
      } else if (kind == EventKind::metric && !is_summary(event)) {
        const int64_t step = event.value("step", int64_t{0});
        newest_step_ = std::max(newest_step_, step);
        buffer_line({step, false},
                    fmt::format("step {}  {}/{} {}\n", step, event.value("split", ""),
                                event.value("name", ""), value_text(event.at("value"))));
      } else if (kind == EventKind::message) {
        printed_.insert(event.value("text", ""));
        repeated_in_log_.insert(event.value("level", "") + " " + event.value("text", "") + "\n");
        buffer_line({newest_step_, true},
                    fmt::format("{}: {}\n", event.value("level", ""), event.value("text", "")));
      } else if (kind == EventKind::end) {
        print_buffered();
        print_outcome(event.value("outcome", ""), event.value("message", ""),
                      event.value("at", ""));
      }
    });
    print_buffered();
    events_read_ = read.offset;
    damaged_ = read.damaged;
    if (damaged_)
      std::cout << fmt::format("== {} is damaged after byte {}\n", file.string(), events_read_);
  }

  /// The end that the driver recorded, if the attempt did not record the same itself.
  void print_end() {
    if (const auto end = read_attempt_end(folder_))
      print_outcome(to_text(end->outcome), end->message, "");
  }

  void print_outcome(const std::string& outcome, const std::string& message,
                     const std::string& at) {
    if (outcome == outcome_) return;
    outcome_ = outcome;
    const bool is_new = !message.empty() && printed_.insert(message).second;
    std::cout << "== " << outcome << (at.empty() ? "" : " " + at) << (is_new ? " " + message : "")
              << "\n";
  }

  void print_lines(PrintedFile& file) const {
    const std::optional<FileDescriptor> open = opened(file.path);
    if (!open) return;
    std::string buffer(size_t{1} << 16, '\0');
    while (true) {
      const ssize_t got =
          pread(open->get(), buffer.data(), buffer.size(), static_cast<off_t>(file.read));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw_file_error(file.path, "reading failed", errno);
      if (got == 0) return;
      file.read += static_cast<uint64_t>(got);
      file.rest.append(buffer, 0, static_cast<size_t>(got));
      size_t begin = 0;
      for (size_t end; (end = file.rest.find('\n', begin)) != std::string::npos; begin = end + 1)
        print_line(file, file.rest.substr(begin, end + 1 - begin));
      file.rest.erase(0, begin);
    }
  }

  /// Returns nothing if the file does not exist: a worker without output removes its file when it
  /// ends.
  static std::optional<FileDescriptor> opened(const std::filesystem::path& path) {
    if (!std::filesystem::exists(path)) return std::nullopt;
    try {
      return open_store_file(path, O_RDONLY);
    } catch (const MachineError&) {
      if (std::filesystem::exists(path)) throw;
      return std::nullopt;
    }
  }

  /// A message of the events is in the log as "17:46:27.501 error TEXT".
  void print_line(const PrintedFile& file, const std::string& line) const {
    const size_t space = line.find(' ');
    if (space == std::string::npos || !repeated_in_log_.count(line.substr(space + 1)))
      std::cout << file.label << line;
  }

  std::filesystem::path folder_;
  PrintedFile log_, errors_;
  bool only_errors_;
  uint64_t events_read_ = 0;
  LineEnds line_ends_;
  bool damaged_ = false;
  int64_t newest_step_ = -1;  // messages before the first metric come first
  std::vector<BufferedLine> buffered_;
  std::string outcome_;
  std::set<std::string> printed_, repeated_in_log_;
};

class Logs : public Command {
 public:
  std::string positional() const override { return "TRIAL"; }

  bool needs_folders() const override { return true; }
  void declare(po::options_description& options) const override {
    options.add_options()("follow,f",
                          "continue until the trial's attempt has ended; if a driver is running, "
                          "wait for an attempt to start")(
        "attempt", po::value<std::string>()->value_name("N"), "only this attempt (default: all)")(
        "stderr", "print only the standard error of a program (job: command), unchanged");
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> trials = arguments_of(given);
    if (trials.size() != 1)
      throw ConfigError("wrong-arguments",
                        "logs: give one trial, by its id or the beginning of it");
    const std::filesystem::path folder = trial_folder(context.store, trial_of(context, trials[0]));
    const bool follow = given.count("follow") > 0;
    only_ = number_given(given, "attempt", {.least = 1});
    only_errors_ = given.count("stderr") > 0;
    bool working = true;
    do {
      // Checked before reading, so that everything written before the lock was released is printed.
      const bool may_begin = tails_.empty() && store_owner(context.store);
      working = follow && (may_begin || is_folder_locked(folder));
      print_new(folder);
      if (working) std::this_thread::sleep_for(kLookEvery);
    } while (working);
    for (auto& [number, tail] : tails_) tail.finish();
    if (!tails_.empty()) return kDone;
    const std::string trial = folder.filename().string();
    const size_t attempts = attempt_folders(folder).size();
    if (only_ && attempts > 0) {
      throw ConfigError(
          "unknown-attempt",
          fmt::format("trial {} has no attempt {}; it has {} (`{}` lists them)", trial, *only_,
                      attempts, store_command("show " + trial, context.store)));
    }
    const bool gone = !std::filesystem::exists(folder);
    std::cerr << fmt::format(
        "trial {}{}\n", trial,
        gone ? fmt::format(": {}", kFolderIsMissing) : " has had no attempt yet");
    return kDone;
  }

 private:
  static std::string trial_of(const CommandContext& context, const std::string& prefix) {
    Store store(context.store, Store::Access::read);
    return trial_with_prefix(store, prefix);
  }

  void print_new(const std::filesystem::path& folder) {
    for (const auto& [number, path] : attempt_folders(folder)) {
      if (only_ && *only_ != number) continue;
      const auto [tail, added] = tails_.try_emplace(number, path, only_errors_);
      if (added && !only_errors_) std::cout << fmt::format("== attempt {}\n", number);
      tail->second.print_new();
    }
  }

  std::optional<int64_t> only_;
  bool only_errors_ = false;
  std::map<int64_t, AttemptTail> tails_;
};

RETHINK_REGISTERED = add_command<Logs>(
    "logs", "print the metrics and the output of a trial's attempts, and how they ended");

}  // namespace
}  // namespace rethink
