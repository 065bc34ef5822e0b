// Files that are damaged or removed between two runs. No training is repeated needlessly, no number is
// lost, and the store reports that it is whole again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "core/json.h"
#include "core/store_files/event.h"
#include "tests/crash/driver.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kTrain = R"(sweep: train
seeds: [0]
stages:
  a: {job: noop, steps: 50, checkpoint_every: 10}
)";

class Damage : public DriverTest {
 protected:
  Damage() { write_text(folder_ / "train.yaml", kTrain); }

  /// Returns a trial whose first attempt, without a driver, was killed before its checkpoint of step 40
  /// had its name.
  TrialFolder half_trained() const {
    EXPECT_EQ(rethink({"run", "train.yaml", "--max-trials", "0"}).status, 0);
    const TrialFolder trial = trials().front();
    train_half(trial);
    return trial;
  }
  static void flip_byte(const std::filesystem::path& file, size_t place) {
    std::string bytes = read_text(file);
    bytes.at(place) ^= 1;
    write_text(file, bytes);
  }
  static Json start_of(const TrialFolder& trial, int64_t attempt) {
    Json start;
    read_events(trial.events(attempt), 0, [&](const Json& event) {
      if (event.at("event") == "start") start = event;
    });
    return start;
  }
  /// Expects the results of an undisturbed run after one more attempt, and no complaint.
  void expect_mended(const TrialFolder& trial) const {
    ASSERT_EQ(run("train.yaml", "quiet").status, 0);
    EXPECT_EQ(trial.attempts(), (std::vector<int64_t>{1, 2}));
    EXPECT_EQ(dump_store(folder_ / "store"), dump_store(folder_ / "quiet"));
    const ProgramResult check = rethink({"db", "check", "--hashes"});
    EXPECT_EQ(check.status, 0) << check.output;
    EXPECT_THAT(differences_to_rebuild(folder_ / "store"), testing::IsEmpty());
  }
};

TEST_F(Damage, OfEventsBehindTheCheckpointCostsNothing) {
  const TrialFolder trial = half_trained();
  flip_byte(trial.events(1), read_text(trial.events(1)).size() - 20);
  ASSERT_EQ(rethink({"db", "rebuild"}).status, 0);
  const ProgramResult result = run("train.yaml");
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_EQ(start_of(trial, 2).at("resume_step"), 30);
  expect_mended(trial);
}

TEST_F(Damage, OfEventsBeforeTheCheckpointStartsTheTrialFromTheBeginning) {
  const TrialFolder trial = half_trained();
  flip_byte(trial.events(1), read_text(trial.events(1)).size() / 10);
  ASSERT_EQ(rethink({"db", "rebuild"}).status, 0);
  const ProgramResult result = run("train.yaml");
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.error, HasSubstr("the events before the checkpoint of step 30 are damaged; "
                                      "going back to the start"));
  EXPECT_EQ(start_of(trial, 2).at("resume_step"), 0);
  expect_mended(trial);
}

TEST_F(Damage, OfEventsBetweenCheckpointsResumesFromTheOlder) {
  const TrialFolder trial = half_trained();
  const std::string events = read_text(trial.events(1));
  flip_byte(trial.events(1), events.find(R"("step":25)"));
  const ProgramResult result = run("train.yaml");
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_EQ(start_of(trial, 2).at("resume_step"), 20);
  ASSERT_EQ(rethink({"db", "rebuild"}).status, 0);
  expect_mended(trial);
}

TEST_F(Damage, OfADoneTrialsEventsIsForgottenWhenItHasRunAgain) {
  ASSERT_EQ(run("train.yaml").status, 0);
  const TrialFolder trial = trials().front();
  flip_byte(trial.events(1), read_text(trial.events(1)).size() / 2);
  EXPECT_EQ(rethink({"db", "rebuild"}).status, 1);
  EXPECT_THAT(rethink({"db", "check"}).output, HasSubstr("the next run of its sweep mends it"));
  EXPECT_EQ(run("train.yaml").status, 0);
  expect_mended(trial);
}

TEST_F(Damage, OfImportedWeightsWhileTheSweepRunsEndsWhatWouldReadThem) {
  std::filesystem::create_directory(folder_ / "w");
  write_text(folder_ / "w/model.safetensors", "as planned");
  write_text(folder_ / "imported.yaml", R"(sweep: imported
seeds: [0, 1]
stages:
  a: {job: noop, steps: 50, sleep_ms: 20, needs: {init: {file: w}}}
)");
  std::thread driver([this] {
    const ProgramResult result = rethink({"run", "imported.yaml", "--slots", "1"});
    EXPECT_EQ(result.status, 1) << result.error;
    EXPECT_THAT(result.error, testing::HasSubstr("/w has changed since this trial was planned"));
  });
  wait_for_attempts();
  wait_until([&] {  // the first command has read its files before it writes anything
    return std::ranges::any_of(trials(), [](const TrialFolder& trial) {
      std::error_code none;
      return std::filesystem::file_size(trial.events(1), none) > 0 && !none;
    });
  });
  write_text(folder_ / "w/model.safetensors", "other weights");
  driver.join();
  EXPECT_THAT(rethink({"status", "imported"}).output, testing::HasSubstr("1 of 2 done, 1 failed"));
}

TEST_F(Damage, OfWeightsThatAreMadeAgainLeavesTheirHistoryAlone) {
  const std::string two = R"(sweep: chain
seeds: [0]
stages:
  a: {job: noop, steps: 50, sleep_ms: 20}
  b: {job: noop, needs: {init: a}}
)";
  write_text(folder_ / "chain.yaml", two);
  ASSERT_EQ(run("chain.yaml").status, 0);
  for (const TrialFolder& trial : trials()) std::filesystem::remove_all(trial.artifacts());
  write_text(folder_ / "chain.yaml", two + "  c: {job: noop, needs: {init: b}}\n");
  std::thread driver([this] { run("chain.yaml"); });
  wait_until([this] {
    return std::ranges::any_of(trials(), [](const TrialFolder& trial) {
      return std::filesystem::exists(trial.events(2));
    });
  });
  EXPECT_THAT(rethink({"status", "chain"}).output, testing::HasSubstr("0 of 3 done"));
  signal_driver(SIGKILL);
  driver.join();
  EXPECT_EQ(run("chain.yaml").status, 0);
  for (const TrialFolder& trial : trials()) EXPECT_FALSE(std::filesystem::exists(trial.end(1)));
}

TEST_F(Damage, OfARequestStopsNoRun) {
  ASSERT_EQ(run("train.yaml").status, 0);
  std::filesystem::create_directories(folder_ / "store/requests");
  std::filesystem::create_symlink("nowhere", folder_ / "store/requests/x.json");
  EXPECT_EQ(run("train.yaml").status, 0);
}

TEST_F(Damage, ARemovedTrialRunsOnce) {
  ASSERT_EQ(run("train.yaml", "quiet").status, 0);
  ASSERT_EQ(run("train.yaml").status, 0);
  const TrialFolder trial = trials().front();
  std::filesystem::remove_all(trial.path());
  const ProgramResult again = run("train.yaml");
  EXPECT_EQ(again.status, 0);
  EXPECT_THAT(again.error, Not(HasSubstr("is damaged")));
  EXPECT_THAT(again.error,
              HasSubstr("the folders of 1 trial that the database calls done are missing"));
  EXPECT_EQ(trial.attempts(), (std::vector<int64_t>{1}));
  EXPECT_EQ(rethink({"db", "check"}).status, 0);
  EXPECT_EQ(dump_store(folder_ / "store"), dump_store(folder_ / "quiet"));
}

TEST_F(Damage, OfASweepFileStopsNothingAndItsRunWritesItAnew) {
  ASSERT_EQ(run("train.yaml").status, 0);
  ASSERT_EQ(rethink({"run", "train.yaml", "--seeds", "1"}).status, 0);
  std::string damaged;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "store/sweeps")) {
    if (Json::parse(read_text(entry.path())).at("choice") == "") damaged = entry.path();
  }
  write_text(damaged, read_text(damaged).substr(0, 100));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"status"}, {"cancel", "train"}, {"db", "rebuild"}, {"gc"}}) {
    const ProgramResult result = rethink(words);
    EXPECT_EQ(result.status, 0) << words.back() << ": " << result.error;
    EXPECT_THAT(result.error, HasSubstr(damaged + " is damaged")) << words.back();
    EXPECT_THAT(result.error, HasSubstr("its sweep again with the same options"));
  }
  EXPECT_EQ(rethink({"db", "check"}).status, 1);
  EXPECT_EQ(rethink({"rm", "--yes", "train"}).status, 2);
  EXPECT_EQ(run("train.yaml").status, 0);
  EXPECT_EQ(rethink({"db", "check"}).status, 0);
  const ProgramResult status = rethink({"status"});
  EXPECT_THAT(status.output, HasSubstr("train: 2 of 2 done"));
  EXPECT_EQ(status.error, "");
}

TEST_F(Damage, OfATrialsLockKeepsNobodyFromCancellingIt) {
  const TrialFolder trial = leave_an_orphan();
  const std::string signature = read_text(trial.lock());
  write_text(trial.lock(), "no JSON");
  const ProgramResult cancel = rethink({"cancel", "endless"});
  EXPECT_EQ(cancel.status, 1) << cancel.error;
  EXPECT_THAT(cancel.output,
              HasSubstr(fmt::format("cancelled 1 trial; trial {} goes on: its lock "
                                    "names no process; `fuser {}` (as root",
                                    trial.path().filename().string(), trial.lock().string())));
  write_text(trial.lock(), signature);
  EXPECT_EQ(rethink({"cancel", "endless"}).output,
            "cancelled 0 trials: 1 is cancelled; stopped 1 worker whose driver has ended\n");
}

TEST_F(Damage, ByAKilledMergeIsUndone) {
  ASSERT_EQ(run("train.yaml", "quiet").status, 0);
  const TrialFolder trial = half_trained();
  const std::string name = trial.path().filename();
  std::filesystem::rename(trial.path(), folder_ / "store/trials" / (".leaving-" + name));
  std::filesystem::create_directory(folder_ / "store/trials" / (".arriving-" + name));
  EXPECT_THAT(rethink({"gc"}).output, HasSubstr("in 2 places"));
  EXPECT_EQ(run("train.yaml").status, 0);
  EXPECT_EQ(start_of(trial, 2).at("resume_step"), 30);
  EXPECT_EQ(trials().size(), 1u);
  EXPECT_EQ(dump_store(folder_ / "store"), dump_store(folder_ / "quiet"));
}

}  // namespace
}  // namespace rethink
