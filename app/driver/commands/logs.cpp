// `rethink logs TRIAL`: what its attempts printed and reported; --follow waits for more.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <thread>

#include "app/driver/command.h"
#include "core/error.h"
#include "core/event.h"
#include "core/file.h"
#include "core/lock.h"
#include "results/folders.h"
#include "results/query.h"

namespace rethink {
namespace {

constexpr std::chrono::milliseconds kLookEvery{250};

/// Prints what an attempt's log and event file hold beyond what was printed before.
class AttemptTail {
 public:
  explicit AttemptTail(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void print_new() {
    print_events();
    print_log();
    std::cout.flush();
  }

 private:
  /// From the events: how it began and ended, warnings, errors.
  void print_events() {
    const std::filesystem::path file = folder_ / "events.jsonl";
    if (damaged_ || !std::filesystem::exists(file)) return;
    const EventRead read = read_events(file, events_, [](const Json& event) {
      const std::string kind = event.at("event");
      const std::string at = event.value("at", "");
      if (kind == "start") {
        std::cout << fmt::format("== start at step {} {}\n", event.value("resume_step", 0), at);
      } else if (kind == "message") {
        std::cout << fmt::format("{}: {}\n", event.value("level", ""), event.value("text", ""));
      } else if (kind == "end") {
        std::cout << fmt::format("== {} {} {}\n", event.value("outcome", ""), at, event.value("message", ""));
      }
    });
    events_ = read.offset;
    damaged_ = read.damaged;
    if (damaged_) std::cout << fmt::format("== {} is damaged after byte {}\n", file.string(), events_);
  }

  void print_log() {
    const std::filesystem::path path = folder_ / "log";
    if (!std::filesystem::exists(path)) return;
    const FileDescriptor file = open_file(path, O_RDONLY);
    std::string buffer(size_t{1} << 16, '\0');
    while (true) {
      const ssize_t got = pread(file.get(), buffer.data(), buffer.size(), static_cast<off_t>(log_));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw_file_error(path, "reading failed", errno);
      if (got == 0) return;
      std::cout.write(buffer.data(), got);
      log_ += static_cast<uint64_t>(got);
    }
  }

  std::filesystem::path folder_;
  uint64_t events_ = 0, log_ = 0;
  bool damaged_ = false;
};

class Logs : public Command {
 public:
  std::string positional() const override { return "TRIAL"; }

  void declare(po::options_description& options) const override {
    options.add_options()("follow,f", "go on until the trial's attempt has ended")(
        "attempt", po::value<int64_t>(), "only this one (default: all)");
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> trials = arguments_of(given);
    if (trials.size() != 1) throw ConfigError("logs: give one trial, by its id or the beginning of it");
    const std::filesystem::path folder = trial_folder(context.store, trial_of(context, trials[0]));
    const bool follow = given.count("follow") > 0;
    if (given.count("attempt")) only_ = given["attempt"].as<int64_t>();
    bool working = true;
    do {
      // Asked before reading: what it wrote before it let the lock go is then printed.
      working = follow && is_locked(folder / "lock");
      print_new(folder);
      if (working) std::this_thread::sleep_for(kLookEvery);
    } while (working);
    if (tails_.empty()) std::cerr << (only_ ? "no such attempt\n" : "no attempt yet\n");
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
      const auto [tail, added] = tails_.try_emplace(number, path);
      if (added) std::cout << fmt::format("== attempt {}\n", number);
      tail->second.print_new();
      print_end(number, path);
    }
  }

  /// What the driver wrote of an attempt that could not say itself how it ended.
  void print_end(int64_t number, const std::filesystem::path& folder) {
    if (!std::filesystem::exists(folder / "end.json") || !ended_.insert(number).second) return;
    const Json end = read_json(folder / "end.json");
    std::cout << fmt::format("== {} {}\n", end.value("outcome", ""), end.value("message", ""));
  }

  std::optional<int64_t> only_;
  std::map<int64_t, AttemptTail> tails_;
  std::set<int64_t> ended_;
};

const bool registered = add_command<Logs>("logs", "what a trial's attempts printed, and how they ended");

}  // namespace
}  // namespace rethink
