// `rethink db`: compares the database with the trials' folders, rebuilds, merges and copies it.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "app/driver/command.h"
#include "core/error.h"
#include "core/files/store_file.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/result_file.h"
#include "core/store_files/trial_folder.h"
#include "core/system/kill_point.h"
#include "results/folders/store_lock.h"
#include "results/folders/stored_trial.h"
#include "results/store/rebuild.h"
#include "results/upkeep/check_store.h"
#include "results/upkeep/merge.h"

namespace rethink {
namespace {

class Db : public Command {
 public:
  std::string positional() const override {
    return "check | rebuild | merge STORE | snapshot FILE";
  }

  void declare(po::options_description& options) const override {
    declare_format(options, "check: text or json");
    options.add_options()("hashes",
                          "check: also compare every row, event and artifact with the folders");
  }

  int run(const CommandContext& context, const po::variables_map& given) override {
    static const std::map<std::string, Verb> verbs = {{"check", {0, check}},
                                                      {"rebuild", {0, rebuild_all}},
                                                      {"merge", {1, merge}},
                                                      {"snapshot", {1, take_snapshot}}};
    const std::vector<std::string> words = arguments_of(given);
    const auto verb = verbs.find(words.empty() ? "" : words[0]);
    if (verb == verbs.end()) {
      throw ConfigError("wrong-arguments",
                        fmt::format("db: got '{}', expected {}", joined(words, " "), positional()));
    }
    if (words.size() != verb->second.arguments + 1) {
      throw ConfigError("wrong-arguments",
                        fmt::format("db {}: got {}, expected {}", words[0],
                                    counted(words.size() - 1, "argument"), verb->second.arguments));
    }
    if (words.size() > 1) require_utf8("db " + words[0], words[1]);
    return verb->second.run(
        {context, words.size() > 1 ? words[1] : "", given.count("hashes") > 0, wants_json(given)});
  }

 private:
  struct Call {
    const CommandContext& context;
    std::filesystem::path argument;
    bool hashes, as_json;
  };
  struct Verb {
    size_t arguments;
    int (*run)(const Call&);
  };

  static int check(const Call& call) {
    const StoreCheck found = check_store(call.context.store, call.hashes);
    const bool sound = found.problems.empty();
    if (call.as_json) {
      std::cout << Json{{"sound", sound},
                        {"problems", found.problems},
                        {"notes", found.notes},
                        {"files_without_checksum", found.files_without_checksum},
                        {"builds", found.builds}}
                       .dump(2)
                << "\n";
    } else {
      for (const std::string& problem : found.problems) std::cout << problem << "\n";
      for (const std::string& note : found.notes) std::cout << "note: " << note << "\n";
      if (found.files_without_checksum > 0) {
        std::cout << counted(found.files_without_checksum, "file")
                  << " of version 0.1.0 without a checksum, checked member by member\n";
      }
      for (const std::string& line : found.builds) std::cout << "numbers: " << line << "\n";
      if (sound) {
        std::cout << soundness_text(call)
                  << (found.notes.empty() ? "" : ", except for what the notes list") << "\n";
      }
    }
    const std::vector<std::string> loses(found.rebuild_loses.begin(), found.rebuild_loses.end());
    if (found.rebuild_helps) {
      std::cerr << fmt::format("`{}` rebuilds the rows from the folders",
                               store_command("db rebuild", call.context.store))
                << (loses.empty() ? "" : ", and loses the numbers of " + joined(loses)) << "\n";
    }
    return sound ? kDone : kSomeFailed;
  }

  static std::string soundness_text(const Call& call) {
    if (std::filesystem::is_regular_file(call.context.store))
      return "SQLite finds the snapshot sound; it has no folders to compare it with";
    return call.hashes
               ? "the database is sound and says what the folders say: every row, event and "
                 "artifact was compared; nothing was computed again"
               : "the database is sound and its states are those of the folders (--hashes "
                 "compares every row, event and artifact)";
  }

  static int rebuild_all(const Call& call) {
    const std::filesystem::path trials = trials_folder(call.context.store);
    if (const std::string problem = store_folder_problem(trials); !problem.empty())
      throw MachineError("store-unusable", problem);
    require_store_to_rebuild(call.context.store);
    const StoreLock lock = StoreLock::take(call.context.store, "db rebuild");
    set_kill_point_folder(call.context.store);
    const RebuildReport report = rebuild(call.context.store);
    if (!report.moved_aside.empty() && report.lost.empty()) {
      std::cerr << fmt::format(
          "the old database could not be read; it is now {}, which `{}` removes\n",
          report.moved_aside.string(), store_command("gc", call.context.store));
    }
    for (const std::string& trial : report.damaged) {
      if (report.foreign.count(trial)) continue;
      std::cerr << fmt::format("trial {}: {}; the next run makes it again\n", trial,
                               damage_of(trial_folder(call.context.store, trial)));
    }
    for (const auto& [trial, foreign] : report.foreign)
      std::cerr << fmt::format("trial {}: {}; no run continues the trial until then\n", trial,
                               foreign);
    for (const auto* files : {&report.foreign_files, &report.stray_files}) {
      for (const auto& [trial, file] : *files)
        std::cerr << fmt::format("trial {}: {}\n", trial, file);
    }
    const bool has_trials = std::filesystem::is_directory(trials);
    if (!has_trials) {
      std::cerr << fmt::format(
          "{}: is missing, and with it the folders of all trials. If its disk is not mounted, "
          "mount it "
          "and run `{}`; else the next runs of the sweeps make the trials again\n",
          trials.string(), store_command("db rebuild", call.context.store));
    }
    print_lost_rows(report, call.context.store);
    std::cout << fmt::format("{}, {}\n", counted(report.trials, "trial"),
                             counted(report.sweeps, "sweep"));
    const bool is_whole =
        has_trials && report.foreign.empty() && report.foreign_files.empty() && report.lost.empty();
    return is_whole ? kDone : kSomeFailed;
  }

  static void print_lost_rows(const RebuildReport& report, const std::filesystem::path& store) {
    if (report.lost.empty()) return;
    for (const std::string& trial : report.lost) {
      if (!report.foreign.count(trial) && !std::ranges::count(report.damaged, trial))
        std::cerr << fmt::format(
            "trial {}: its folder lacks the result or numbers that the old database has; the next "
            "run of its sweep makes them again, but not imported scores\n",
            trial);
    }
    std::cerr << lost_text(report, store) << "\n";
  }

  /// "PATH is damaged (reason)": why a trial could not be read.
  static std::string damage_of(const std::filesystem::path& folder) {
    for (const StoredFiles::Damage& damage : look_at_files(folder).damaged) {
      const std::string name = damage.file.filename();
      if (name == kTrialFile || name == kResultFile)
        return fmt::format("{} is damaged ({})", damage.file.string(), damage.what);
    }
    const std::filesystem::path file = folder / kResultFile;
    if (const auto result = proved_result(file); result && !result->is_sound())
      return fmt::format("{} is damaged ({})", file.string(), result->damage);
    return fmt::format("{}: its events are damaged", folder.string());
  }

  static int merge(const Call& call) {
    const StoreLock lock = StoreLock::take(call.context.store, "db merge");
    set_kill_point_folder(call.context.store);
    const MergeReport report = merge_store(call.argument, call.context.store);
    for (const std::string& trial : report.different) {
      std::cerr << fmt::format(
          "trial {}: done in both stores, with different metrics; this store keeps its own\n",
          trial);
    }
    for (const std::string& score : report.replaced) std::cerr << score << "\n";
    for (const std::string& look : report.looks) std::cerr << look << "\n";
    for (const std::string& damage : report.damaged) std::cerr << "not merged: " << damage << "\n";
    const std::string looks =
        report.looks_added == 0
            ? ""
            : fmt::format("; {} at claims added", counted(report.looks_added, "look"));
    std::cout << fmt::format("{} added, {} already known, {} unfinished or running; {} changed{}\n",
                             counted(report.added, "trial"), report.known, report.unfinished,
                             counted(report.sweeps, "sweep"), looks);
    return report.damaged.empty() ? kDone : kSomeFailed;
  }

  static int take_snapshot(const Call& call) {
    snapshot(call.context.store, call.argument);
    std::cout << fmt::format("{}: read it with --store {}, or with sqlite3 -readonly\n",
                             call.argument.string(), for_a_shell(call.argument.string()));
    return kDone;
  }
};

RETHINK_REGISTERED =
    add_command<Db>("db", "check or rebuild the database, merge stores, take a snapshot");

}  // namespace
}  // namespace rethink
