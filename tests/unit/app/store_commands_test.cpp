#include <gmock/gmock.h>

#include "core/error.h"
#include "core/file.h"
#include "tests/unit/app/command_fixture.h"

namespace rethink {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class StoreCommands : public CommandTest {
 protected:
  /// A trial of no sweep that failed, as the driver saw it.
  std::string add_failed() const {
    TrialMaker trial(folder_.path(), "failed");
    trial.attempt(1, {start_event(1, 0), end_event("failed")}).ended(1, {{"outcome", "failed"}});
    write_trial_state(trial.folder(), "failed", "no data");
    return trial.id();
  }
};

TEST_F(StoreCommands, SayThatTheDatabaseIsGone) {
  add_two_rates();
  finish();
  for (const char* part : {"", "-wal", "-shm"})
    std::filesystem::remove((folder_ / "rethink.db").string() + part);
  for (const std::vector<std::string>& words : {std::vector<std::string>{"claims"},
                                                {"report"},
                                                {"table", "t"},
                                                {"figure", "f"},
                                                {"why", "t", "row", "column"},
                                                {"why", "1234"},
                                                {"status"}}) {
    EXPECT_THAT([&] { answer(words); },
                ThrowsMessage<MachineError>(HasSubstr("`rethink db rebuild` makes it")))
        << words.front();
  }
}

TEST_F(StoreCommands, RemoveNamesTheDamagedFileThatMayBeTheSweeps) {
  add_two_rates();
  finish();
  const std::filesystem::path file = sweep_path(folder_.path(), sweep_);
  write_text(file, "{");
  EXPECT_THAT(
      [&] {
        answer({"rm", "s"});
      },
      ThrowsMessage<ConfigError>(
          AllOf(HasSubstr("has no sweep or trial 's'; " + file.string() + " is damaged"),
                HasSubstr("run its sweep again with the same options"))));
}

TEST_F(StoreCommands, RetrySaysWhyThereIsNothingToRetry) {
  const std::string done = add("a", 0, {{"rate", 1}}, 1.0);
  finish();
  EXPECT_EQ(answer({"retry", done}).out,
            "0 trials may run again: 1 is done; to have one that is done again: rethink rm " +
                done + ", then run its sweep\n");
}

TEST_F(StoreCommands, RetryIsInTheDatabaseAtOnce) {
  const std::string failed = add_failed();
  finish();
  EXPECT_EQ(answer({"retry", failed}).out, "1 trial may run again\n");
  const Store store(folder_.path(), Store::Access::read);
  EXPECT_EQ(store.attempts(failed).at(0).facts.at("forgiven"), true);
}

}  // namespace
}  // namespace rethink
