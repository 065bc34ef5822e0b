// Fixture with a store for queries: 2 arms x 2 seeds in two sweeps.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "results/folders/store_lock.h"
#include "results/query/run_query.h"
#include "results/query/short_query.h"
#include "results/store/rebuild.h"
#include "tests/unit/results/trial_maker.h"

namespace rethink {

/// Fixture with four done trials, 2 arms x 2 seeds, in one sweep. The trials of arm Star are also in a
/// second sweep.
class QueryTest : public testing::Test {
 protected:
  QueryTest() {
    SweepFile first{"paper/masks", "", "", "", {}, {}}, second{"paper/other", "", "", "", {}, {}};
    int number = 0;
    for (const std::string arm : {"Star", "dense"}) {
      for (const int seed : {0, 1}) {
        const std::string name = fmt::format("a{}", ++number);
        TrialMaker trial(
            folder.path(), name,
            {{"steps", 10},
             {"bias", seed == 1},
             {"optimizer", {{"lr", number / 10.0}}},
             {"decoder", {{"lr", 7}}},
             {"model", {{"attention", {{"mask", {{"kind", arm == "Star" ? "star" : "none"}}}}}}}});
        trial.seed(seed)
            .attempt(1, {start_event(1, 0), metric_event("mcc", 5, 0.1),
                         metric_event("mcc", 10, number / 10.0), metric_event("mcc@best", 10, 0.9),
                         metric_event("loss", 10, 1.0), metric_event("loss@last", 10, 2.0),
                         measurement_event("steps_per_s", 10, 10 * number), end_event("done")})
            .result(1);
        first.members.push_back(
            {trial.id(),
             "train",
             "",
             {{"task", "CoLA"}, {"arm", arm}, {"rate", number < 3 ? "0.5" : "10"}}});
        if (arm == "Star")
          second.members.push_back({trial.id(), "train", "", {{"task", "CoLA"}, {"arm", "again"}}});
      }
    }
    write_sweep_file(folder.path(), first);
    write_sweep_file(folder.path(), second);
    rebuild(folder.path());
  }

  std::vector<std::string> kept(const std::string& where) {
    Store store(folder.path(), Store::Access::read);
    std::vector<std::string> names;
    for (const auto& row : run_query(store, short_query_sql(store, {where, {}, {}})).rows) {
      names.push_back(row[0].get<std::string>().substr(18));
    }
    return names;
  }

  QueryResult answer(const ShortQuery& query) {
    Store store(folder.path(), Store::Access::read);
    return run_query(store, short_query_sql(store, query));
  }

  std::string first_trial() const { return trials_in(folder.path()).front(); }

  const TempFolder folder;
};

/// Fixture with a trial at step 5 of 10, with 9 as its newest value, in a given state.
class UnfinishedTrial : public QueryTest {
 protected:
  UnfinishedTrial() {
    TrialMaker(folder.path(), "b1", {{"model", {{"attention", {{"mask", {{"kind", "star"}}}}}}}})
        .attempt(1, {start_event(1, 0), metric_event("mcc", 5, 9.0)});
    rebuild(folder.path());
  }
  void set_state(TrialState state) {
    Store(folder.path(), Store::Access::write).set_state(id_of("b1"), state);
    // Without a driver no trial is running.
    driver.reset();
    if (state == TrialState::running) driver.emplace(StoreLock::take(folder.path(), "run"));
  }
  TrialCounts left_out(const ShortQuery& query) {
    Store store(folder.path(), Store::Access::read);
    return unfinished_trials(store, query);
  }
  std::optional<StoreLock> driver;
  const ShortQuery of_masks{"", {"mask"}, {"mean(dev/mcc)", "n", "n(dev/mcc)", "max(mcc)"}};
};

}  // namespace rethink
