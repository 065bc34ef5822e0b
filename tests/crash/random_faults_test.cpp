// Random faults of the machine while a sweep runs, each on a separate store: calls that fail, limits on
// the process, a clock that jumps, files that are removed. The command ends by itself with a message.
// Afterwards the same command gives the results of an undisturbed run. RETHINK_FAULTS is their number
// (70), RETHINK_SEED selects them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "core/clock.h"
#include "tests/crash/driver.h"
#include "tests/support/random_choices.h"

namespace rethink {
namespace {

constexpr const char* kFaultyArms = R"(sweep: arms
seeds: [0, 1]
stages:
  train: {job: noop, steps: 6, checkpoint_every: 2, grid: {tag: [a, b]}}
  best: {job: select, needs: {from: train}, over: [tag], by: dev/score}
  tune: {job: noop, needs: {init: best}, steps: 3, tag: tuned}
  broken: {job: noop, steps: 4, fail_at: 3, tag: broken}
)";
constexpr const char* kFaultySlow = R"(sweep: slow
seeds: [0, 1]
stages:
  slow: {job: noop, steps: 10, sleep_ms: 10, checkpoint_every: 3, tag: slow, limits: {time: 30s, stall: 30s}}
)";

// Sweep of a second driver, after a file of the first driver was removed.
constexpr const char* kIntruder = R"(sweep: intruder
seeds: [0]
stages: {train: {job: noop, steps: 2, tag: intruder}}
)";

using Words = std::vector<std::string>;

struct DrawnFault {
  std::string kind, what;
  Words before{};  // words before the command
  std::map<std::string, std::string> environment{};
  bool removes = false;   // a file is removed while the command runs
  bool jumps = false;     // the clock jumps
  double pause_s = 0;     // before the removal
  uint64_t choice = 0;    // which file
  bool intrudes = false;  // a second driver begins after the removal
  std::string slots = "2";
};

/// Returns after how many calls a fault begins, and how often it occurs: "3", "3+*" and so on.
std::string occasion(RandomChoices& random) {
  const std::string skipped = std::to_string(random.below(1u << random.below(8)));
  return skipped + "+" + random.one_of(Words{"1", "1", "2", "*"});
}

DrawnFault failing_call(RandomChoices& random) {
  static const std::map<std::string, Words> kErrors{
      {"open", {"EIO", "EMFILE", "ENFILE", "EROFS"}},
      {"create", {"ENOSPC", "EIO", "EROFS", "EMFILE"}},
      {"write", {"ENOSPC", "EIO", "short", "EDQUOT"}},
      {"fsync", {"EIO", "ENOSPC"}},
      {"truncate", {"EIO", "ENOSPC"}},
      {"rename", {"ENOSPC", "EIO", "EROFS"}},
      {"mkdir", {"ENOSPC", "EIO", "EROFS"}},
      {"unlink", {"EIO", "EROFS"}},
      {"fork", {"EAGAIN", "ENOMEM"}},
      {"spawn", {"EAGAIN", "ENOMEM"}},
      {"thread", {"EAGAIN"}}};  // the C library turns ENOMEM into it
  static const Words kParts{"/store",       "/store",      "rethink.db",    "/trials/", "/sweeps/",
                            "events.jsonl", "result.json", "/checkpoints/", "lock",     "uuid"};
  const auto& [call, errors] = *std::next(kErrors.begin(), random.below(kErrors.size()));
  const bool of_program = call == "fork" || call == "thread" || call == "spawn";
  const std::string program = random.one_of(Words{"", "rethink", "rethink-worker"});
  const std::string rule = call + ":" + random.one_of(errors) + ":" +
                           (of_program ? "" : random.one_of(kParts)) + ":" + occasion(random);
  DrawnFault fault{.kind = "call " + call,
                   .what = rule + " in " + (program.empty() ? "both" : program)};
  fault.environment = {{"RETHINK_FAULT", rule}, {"RETHINK_FAULT_PROGRAM", program}};
  return fault;
}

/// Returns a fault as at a limit of processes, since `prlimit` does not bind root.
DrawnFault refused_processes(RandomChoices& random) {
  const std::string when = ":EAGAIN::" + occasion(random);
  const std::string rules = "fork" + when + ",spawn" + when + ",thread" + when;
  DrawnFault fault{.kind = "limit of processes", .what = rules};
  fault.environment = {{"RETHINK_FAULT", rules}};
  return fault;
}

DrawnFault limited_process(RandomChoices& random) {
  // With less memory or fewer files than these a program cannot be loaded. `ulimit` has other letters in
  // other shells: dash ends with 2 for -u.
  struct Limit {
    const char *kind, *option;
    uint64_t least, most, unit;
  };
  static const std::vector<Limit> kLimits{{"limit of open files", "nofile", 5, 40, 1},
                                          {"limit of a file's size", "fsize", 0, 400, 512},
                                          {"limit of memory", "as", 20'000, 100'000, 1024}};
  const size_t kind = random.below(kLimits.size() + 1);
  if (kind == kLimits.size()) return refused_processes(random);
  const Limit& limit = kLimits[kind];
  const std::string value =
      std::to_string(limit.unit * (limit.least + random.below(limit.most - limit.least)));
  const std::string option = std::string("--") + limit.option + "=" + value;
  return {.kind = limit.kind, .what = "prlimit " + option, .before = {"prlimit", option}};
}

DrawnFault jumping_clock(RandomChoices& random) {
  const std::string jump = random.one_of(Words{"100800", "-100800", "3600", "-3600", "-1"}) + ":" +
                           std::to_string(random.below(1u << random.below(8)));
  DrawnFault fault{.kind = "clock", .what = "clock " + jump};
  fault.environment = {{"RETHINK_CLOCK_JUMP", jump}};
  fault.jumps = true;
  return fault;
}

DrawnFault removed_file(RandomChoices& random) {
  DrawnFault fault{.kind = "removed", .what = "removed"};
  fault.removes = true;
  fault.pause_s = static_cast<double>(random.below(200)) / 1000;
  fault.choice = random.below(1'000'000);
  fault.intrudes = random.below(2) == 0;
  return fault;
}

DrawnFault fault_of(RandomChoices& random) {
  const size_t kind = random.below(10);
  DrawnFault fault = kind < 5   ? failing_call(random)
                     : kind < 7 ? limited_process(random)
                     : kind < 8 ? jumping_clock(random)
                                : removed_file(random);
  fault.slots = random.one_of(Words{"1", "2"});
  return fault;
}

class RandomFault : public DriverTest {
 protected:
  RandomFault() : DriverTest(memory_folder()) {
    write_text(folder_ / "arms.yaml", kFaultyArms);
    write_text(folder_ / "slow.yaml", kFaultySlow);
    write_text(folder_ / "intruder.yaml", kIntruder);
    EXPECT_EQ(plain({"run", "arms.yaml", "slow.yaml", "intruder.yaml"}, "quiet").status,
              1);  // `broken` fails
    expected_ = numbers("quiet");
    EXPECT_GT(expected_.size(), 30u);
  }

  /// Runs a command under a time limit, since a hang counts as a failure, too.
  ProgramResult under(const DrawnFault& fault, const Words& words,
                      const std::string& store = "store") const {
    Words all{"timeout", "-s", "KILL", "60"};
    all.insert(all.end(), fault.before.begin(), fault.before.end());
    // These variables are not set in the test itself, since `timeout` and `sh` must run undisturbed.
    all.push_back("env");
    for (const auto& [name, value] : fault.environment) all.push_back(name + "=" + value);
    if (!fault.environment.empty()) {
      all.push_back("LD_PRELOAD=" + (kPrograms / "libfault_shim.so").string());
      all.push_back("RETHINK_FAULT_FILE=" + (folder_ / "hits").string());
    }
    all.push_back(kRethink.string());
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), {"--store", (folder_ / store).string()});
    return run_program({.words = all,
                        .folder = folder_.path(),
                        .environment = {{"RETHINK_PROGRAMS", programs_.string()}}});
  }
  ProgramResult plain(const Words& words, const std::string& store = "store") const {
    return under({}, words, store);
  }

  /// Returns "trial,split,name,step,value", of done trials.
  std::set<std::string> numbers(const std::string& store) const {
    const ProgramResult result =
        plain({"query",
               "SELECT m.trial, split, name, step, value FROM metric m JOIN trial t ON t.id = "
               "m.trial WHERE t.state = 'done'",
               "--format", "csv"},
              store);
    EXPECT_EQ(result.status, 0) << result.error;
    std::set<std::string> all;
    std::istringstream lines(result.output);
    for (std::string line; std::getline(lines, line);) all.insert(line);
    return all;
  }

  /// Returns the fault in the way a command ended; "" if there is none.
  static std::string complaint(const ProgramResult& result) {
    const std::string said = result.output + result.error;
    const bool unloaded = result.status == 127 && said.find("shared librar") != std::string::npos;
    if (result.status > 3 && result.status != 130 && !unloaded)
      return "ended with " + std::to_string(result.status);
    if (said.find("unexpected") != std::string::npos) return "an unexpected error";
    if (result.status != 0 && said.empty()) return "ended without a word";
    return "";
  }

  /// Returns the kind of a small file that somebody might remove from a store; "" for any other.
  static std::string removable(const std::filesystem::path& file) {
    const std::string name = file.filename(), parent = file.parent_path().filename();
    if (parent == "sweeps") return "a sweep";
    if (name == "lock") return parent == "store" ? "the store's lock" : "a trial's lock";
    return name == "uuid" || name == "rethink.db-shm" ? name : "";
  }

  /// Removes a small file of the store; returns its kind.
  std::string remove_one(uint64_t choice) const {
    std::map<std::string, std::set<std::filesystem::path>> files;
    std::error_code none;
    const std::filesystem::recursive_directory_iterator end;
    for (std::filesystem::recursive_directory_iterator entry(folder_ / "store", none); entry != end;
         entry.increment(none)) {
      const std::string kind = removable(entry->path());
      if (!kind.empty()) files[kind].insert(entry->path());
    }
    if (files.empty()) return "";
    const auto& [kind, chosen] = *std::next(files.begin(), choice % files.size());
    std::filesystem::remove(*std::next(chosen.begin(), choice / 8 % chosen.size()), none);
    return kind;
  }

  ProgramResult run_under(const DrawnFault& fault, std::string& said) {
    const Words words{"run", "arms.yaml", "slow.yaml", "--slots", fault.slots};
    if (!fault.removes) return under(fault, words);
    ProgramResult first;
    std::atomic<bool> is_first_done = false;
    std::jthread driver([&] {
      first = under(fault, words);
      is_first_done = true;
    });
    while (attempts_begun() == 0 && !is_first_done) std::this_thread::yield();
    const double until_s = monotonic_seconds() + fault.pause_s;
    while (monotonic_seconds() < until_s && !is_first_done) std::this_thread::yield();
    kind_of_file_ = remove_one(fault.choice);
    said += "removed " + kind_of_file_ + "\n";
    if (fault.intrudes) {
      const ProgramResult second = plain({"run", "intruder.yaml", "--slots", "1"});
      const bool was_first_done = is_first_done;
      driver.join();
      said +=
          "second driver: " + std::to_string(second.status) + "\n" + second.output + second.error;
      if (!complaint(second).empty()) throw std::runtime_error(complaint(second));
      if (second.status != 3 && !was_first_done && first.status <= 1)
        throw std::runtime_error("two drivers\nfirst: " + first.output + first.error);
    }
    if (driver.joinable()) driver.join();
    return first;
  }

  /// Returns the numbers of an undisturbed run that `found` lacks (-), and the reverse (+).
  std::string differences(const std::set<std::string>& found) const {
    std::string text;
    const auto add = [&](const char* mark, const auto& of, const auto& other) {
      for (const std::string& number : of)
        if (!other.contains(number)) text += mark + number + "\n";
    };
    add("- ", expected_, found);
    add("+ ", found, expected_);
    return text;
  }

  /// Applies one fault and runs all commands; returns what went wrong, or "".
  std::string outcome_of(const DrawnFault& fault) {
    for (const char* rest : {"store", "hits"}) std::filesystem::remove_all(folder_ / rest);
    std::string said;
    kind_of_file_.clear();
    try {
      const auto note = [&](const std::string& what, const ProgramResult& result) {
        said += what + ": " + std::to_string(result.status) + "\n" + result.output + result.error;
        if (!complaint(result).empty()) throw std::runtime_error(complaint(result));
        return result;
      };
      const ProgramResult faulty = note("run", run_under(fault, said));
      if (fault.jumps) {
        if (faulty.status != 1) return "the clock stops a run\n" + said;
        static const std::regex kNegative("(^|[ (])-[0-9]");
        const ProgramResult status = note("status", under(fault, {"status"}));
        if (std::regex_search(status.output, kNegative)) return "a negative age\n" + said;
      }
      const ProgramResult again =
          note("run again", plain({"run", "arms.yaml", "slow.yaml", "intruder.yaml"}));
      if (again.status != 1) return "the run does not go on\n" + said;  // `broken` fails
      if (note("check", plain({"db", "check", "--hashes"})).status != 0)
        return "the store is not sound\n" + said;
      const std::set<std::string> found = numbers("store");
      if (found != expected_)
        return "other numbers than a quiet run's\n" + differences(found) + said;
      if (const auto twice = overlapping_attempts(folder_ / "store");
          !fault.jumps && !twice.empty())
        return "ran twice at once: " + twice.front() + "\n" + said;
      ++counts_[fault.kind + (kind_of_file_.empty() ? "" : ": " + kind_of_file_)]
               [std::min(faulty.status, 130)];
      return "";
    } catch (const std::runtime_error& error) {
      return std::string(error.what()) + "\n" + said;
    }
  }

  std::set<std::string> expected_;
  std::string kind_of_file_;                             // of the last removal
  std::map<std::string, std::map<int, size_t>> counts_;  // by kind and exit code
};

TEST_F(RandomFault, LosesNothing) {
  if (!std::filesystem::exists(kPrograms / "libfault_shim.so"))
    GTEST_SKIP() << "a sanitizer wants to be loaded first";
  const uint64_t seed = number_from("RETHINK_SEED", 1), times = number_from("RETHINK_FAULTS", 70),
                 first = number_from("RETHINK_FIRST_FAULT", 0);
  size_t fallen = 0;
  for (uint64_t i = first; i < first + times && fallen < 10; ++i) {
    RandomChoices random(seed * 1'000'003 + i);
    const DrawnFault fault = fault_of(random);
    const std::string outcome = outcome_of(fault);
    if (outcome.empty()) continue;
    ++fallen;
    ADD_FAILURE() << "fault " << i << " of seed " << seed << ": " << fault.what << ", "
                  << fault.slots << " slots\n"
                  << outcome;
  }
  for (const auto& [kind, codes] : counts_) {
    std::cout << kind << ":";
    for (const auto& [code, count] : codes) std::cout << " " << count << " with exit " << code;
    std::cout << "\n";
  }
}

}  // namespace
}  // namespace rethink
