#include "experiments/run/sweep_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files/file.h"
#include "results/folders/store_lock.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

QueuedSweeps example() {
  QueuedSweeps sweeps;
  sweeps.files = {"/sweeps/a.yaml", "/sweeps/b.yaml"};
  sweeps.choices.profile = "small";
  sweeps.choices.settings = {"optimizer.lr=1", "tag=a b"};
  sweeps.choices.of_several = true;
  sweeps.choices.only_stage = "train";
  sweeps.choices.seeds = {{0, 3}};
  sweeps.choices.data = "/data";
  sweeps.choices.paths = {"/mine"};
  sweeps.choices.may_lack_files = true;
  sweeps.only_trials = {{"1a", "2b"}};
  sweeps.device = "cpu";
  sweeps.with = {"--data=/data"};
  sweeps.order = QueueOrder::beside;
  sweeps.build = "1f3a";
  sweeps.trials = "digest";
  sweeps.by = "ada, process 1 on host";
  return sweeps;
}

TEST(QueueRequest, IsReadBackAsItWas) {
  const QueuedSweeps read = queue_request_from(queue_request_text(example()), "r.run");
  EXPECT_EQ(queue_request_text(read), queue_request_text(example()));
  EXPECT_EQ(read.choices.settings, example().choices.settings);
  EXPECT_EQ(read.choices.seeds, example().choices.seeds);
  EXPECT_EQ(read.choices.only_stage, "train");
  EXPECT_TRUE(read.choices.of_several);
  EXPECT_EQ(read.only_trials, example().only_trials);
  EXPECT_EQ(read.order, QueueOrder::beside);
  QueuedSweeps plain;
  const QueuedSweeps read_plain = queue_request_from(queue_request_text(plain), "r.run");
  EXPECT_FALSE(read_plain.choices.seeds);
  EXPECT_FALSE(read_plain.choices.only_stage);
  EXPECT_FALSE(read_plain.only_trials);
  EXPECT_TRUE(read_plain.choices.data.empty());
}

TEST(QueueRequest, IsRefusedWhereItIsDamaged) {
  std::string text = queue_request_text(example());
  text.replace(text.find("small"), 5, "large");
  EXPECT_THAT([&] { queue_request_from(text, "r.run"); },
              ThrowsMessage<ConfigError>(HasSubstr("r.run is damaged")));
}

TEST(QueueOrder, NamesTheAcceptedWords) {
  EXPECT_EQ(queue_order("before"), QueueOrder::before);
  EXPECT_THAT([] { queue_order("befor"); }, ThrowsCode("invalid-value"));
}

TEST(DigestOf, IsOfTheIdsAlone) {
  const auto plan_of = [](const std::vector<std::string>& ids) {
    Plan plan;
    for (const std::string& id : ids) plan.trials.emplace_back().trial.id = id;
    return plan;
  };
  EXPECT_EQ(digest_of({plan_of({"a", "b", "a"})}), digest_of({plan_of({"b"}), plan_of({"a"})}));
  EXPECT_NE(digest_of({plan_of({"a"})}), digest_of({plan_of({"b"})}));
}

TEST(HandToDriver, LeavesNothingWhereNobodyWorksOnTheStore) {
  const TempFolder store;
  EXPECT_FALSE(hand_to_driver(example(), store.path()));
  EXPECT_FALSE(std::filesystem::exists(store.path() / "requests"));
}

TEST(HandToDriver, SaysWhyADriverTakesNoSweeps) {
  const TempFolder store;
  const auto refuses = [&](const std::string& why) {
    EXPECT_THAT([&] { hand_to_driver(example(), store.path()); },
                ThrowsMessage<MachineError>(HasSubstr(why)));
    EXPECT_TRUE(!std::filesystem::exists(store.path() / "requests") ||
                std::filesystem::is_empty(store.path() / "requests"));
  };
  {
    const StoreLock lock = StoreLock::take(store.path(), "gc");
    refuses("`rethink gc`, process");
  }
  {
    const StoreLock lock = StoreLock::take(store.path(), "run");
    refuses("a driver of a version without a queue");
  }
  const StoreLock lock = StoreLock::take(store.path(), "run", {"s"}, "another");
  refuses("a driver of another build of rethink");
}

TEST(HandToDriver, NamesTheOtherUserOfADriver) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file to somebody else";
  const TempFolder store;
  const StoreLock lock = StoreLock::take(store.path(), "run", {"s"}, "1f3a");
  ASSERT_EQ(chown((store.path() / "lock").c_str(), 65534, 65534), 0);
  EXPECT_THAT([&] { hand_to_driver(example(), store.path()); }, ThrowsCode("store-in-use"));
}

}  // namespace
}  // namespace rethink
