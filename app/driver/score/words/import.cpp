// `rethink score import FILE`: records a server's scores of a submission in the store, for cells of
// tables (`imported: NAME`).
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "app/driver/cli/note_report.h"
#include "app/driver/score/scorer.h"
#include "app/driver/score/scores_file.h"
#include "core/clock.h"
#include "core/message.h"
#include "core/store_files/trial_folder.h"
#include "core/system/kill_point.h"
#include "results/folders/store_lock.h"
#include "results/folders/stored_trial.h"
#include "results/store/ingest.h"

namespace rethink {
namespace {

struct Counts {
  size_t added = 0, replaced = 0, known = 0;
  size_t remade = 0;  // trials whose rows the database lacked
};

class ImportScorer : public Scorer {
 public:
  std::string positional() const override { return "FILE"; }
  void declare(po::options_description&) const override {}

  int run(const CommandContext& context, const std::vector<std::string>& words,
          const po::variables_map&) const override {
    if (words.size() != 2)
      throw ConfigError("wrong-arguments",
                        "rethink score import: give the file of scores (docs/tables.md)");
    require_trials(context);
    const StoreLock lock = StoreLock::take(context.store, "score import");
    set_kill_point_folder(context.store);
    Store store(context.store, Store::Access::write);
    const ScoresFile given = read_scores_file(words[1], context.schema(), store, context.store);
    Counts counts;
    for (const GivenScores& entry : given.entries)
      take(store, trial_folder(context.store, entry.trial.id), entry, counts);
    print_notes(given.notes);
    for (const std::string& name : given.empty) std::cerr << "no number yet: " << name << "\n";
    const std::string remade =
        counts.remade == 0 ? ""
                           : fmt::format("; the database lacked rows of {}: they were made again",
                                         counted(counts.remade, "trial"));
    std::cout << fmt::format("{} added, {} replaced, {} already known{}\n",
                             counted(counts.added, "score"), counts.replaced, counts.known, remade);
    return kDone;
  }

 private:
  static void take(Store& store, const std::filesystem::path& folder, const GivenScores& entry,
                   Counts& counts) {
    std::optional<std::vector<OutsideScore>> scores = read_outside_scores(folder);
    if (!scores) {
      throw ConfigError(
          "damaged-file",
          fmt::format("{} is damaged; remove it, and import again what was imported for this trial",
                      (folder / kScoresFile).string()));
    }
    const std::map<std::string, OutsideScore> before = newest_scores(*scores);
    const size_t count = scores->size();
    if (!has_rows_of_scores(store, entry.trial.id, *scores)) ++counts.remade;
    for (OutsideScore score : entry.scores) {
      const auto old = before.find(score.name);
      const bool is_known = old != before.end() && old->second.repeats(score);
      ++(is_known ? counts.known : old != before.end() ? counts.replaced : counts.added);
      if (is_known) continue;
      score.at = wall_time();
      scores->push_back(score);
      std::cout << fmt::format("{}: {} {}{}\n", entry.trial.title(), score.name, score.value,
                               old == before.end() ? ""
                                                   : fmt::format(", was {} ({})", old->second.value,
                                                                 old->second.source()));
    }
    if (scores->size() > count) write_outside_scores(folder, *scores);
    kill_point("after_scores_written");
    // Unchanged scores are stored too, since the command that wrote them may have been killed before this step.
    put_outside_scores(store, folder);
  }
};

RETHINK_REGISTERED =
    add_scorer<ImportScorer>("import", "scores that a server gave, from a file, into the store");

}  // namespace
}  // namespace rethink
