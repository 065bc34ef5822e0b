#include "experiments/attempt/checkpoint_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>

#include "core/error.h"
#include "core/safetensors.h"
#include "experiments/attempt/event_log.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

bool is_whole(const std::filesystem::path& path) {
  try {
    const SafetensorsFile file(path);
    return true;
  } catch (const ConfigError&) {
    return false;
  }
}

class CheckpointFolderTest : public testing::Test {
 protected:
  void publish(int64_t step) {
    checkpoints_.publish(step, [&](const std::filesystem::path& file, uint64_t) {
      const std::span<const int64_t> value(&step, 1);
      write_safetensors(file, {{"step", {Dtype::i64, {1}, std::as_bytes(value)}}}, {});
    });
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "checkpoints")) {
      all.push_back(entry.path().filename().string());
    }
    std::ranges::sort(all);
    return all;
  }

  TempFolder folder_;
  EventLog events_{folder_ / "events.jsonl"};
  CheckpointFolder checkpoints_{folder_ / "checkpoints", events_};
};

TEST_F(CheckpointFolderTest, KeepsTheNewestTwo) {
  for (const int64_t step : {9, 10, 100}) publish(step);
  EXPECT_EQ(names(), (std::vector<std::string>{"checkpoint-10", "checkpoint-100"}));
  EXPECT_EQ(checkpoints_.newest(is_whole)->step, 100);
}

TEST_F(CheckpointFolderTest, HasNoneBeforeTheFirst) {
  EXPECT_FALSE(checkpoints_.newest(is_whole));
}

TEST_F(CheckpointFolderTest, RecordsTheEventsBeforeIt) {
  events_.metric("train", "loss", 1, 0.5);
  const uint64_t before = events_.offset();
  uint64_t recorded = 0;
  checkpoints_.publish(1, [&](const std::filesystem::path& file, uint64_t offset) {
    recorded = offset;
    write_text(file, "x");
  });
  EXPECT_EQ(recorded, before);
  EXPECT_GT(events_.offset(), before) << "a checkpoint event follows";
}

TEST_F(CheckpointFolderTest, TheStartEventSaysWhichAreDamaged) {
  publish(10);
  publish(20);
  write_text(folder_ / "checkpoints" / "checkpoint-20", "x");
  EventLog events(folder_ / "later.jsonl");
  events.prepare_start({{"attempt", 2}});
  EXPECT_EQ(CheckpointFolder(folder_ / "checkpoints", events).newest(is_whole)->step, 10);
  std::vector<Json> all;
  read_events(folder_ / "later.jsonl", 0, [&](const Json& event) { all.push_back(event); });
  EXPECT_EQ(all.at(0),
            (Json{{"event", "start"}, {"attempt", 2}, {"resume_step", 10}, {"damaged", {20}}}));
}

TEST_F(CheckpointFolderTest, CutAtAnyByteMeansTheOlder) {
  publish(10);
  publish(20);
  const auto newest = folder_ / "checkpoints/checkpoint-20";
  const std::string whole = read_text(newest);
  for (size_t size = 0; size < whole.size(); ++size) {
    write_text(newest, whole.substr(0, size));
    const auto found = checkpoints_.newest(is_whole);
    ASSERT_TRUE(found) << "cut at byte " << size;
    EXPECT_EQ(found->step, 10) << "cut at byte " << size;
  }
}

TEST_F(CheckpointFolderTest, SaysThatItGoesBack) {
  publish(10);
  publish(20);
  write_text(folder_ / "checkpoints/checkpoint-20", "damaged");
  checkpoints_.newest(is_whole);
  std::string text;
  read_events(folder_ / "events.jsonl", 0,
              [&](const Json& event) { text = event.value("text", text); });
  EXPECT_EQ(text, "the checkpoint of step 20 is damaged; going back to step 10");
}

TEST_F(CheckpointFolderTest, ADamagedOneDoesNotDisplaceAGoodOne) {
  publish(10);
  publish(20);
  write_text(folder_ / "checkpoints/checkpoint-20", "damaged");
  publish(15);
  EXPECT_EQ(names(), (std::vector<std::string>{"checkpoint-10", "checkpoint-15"}));
}

TEST_F(CheckpointFolderTest, AFailedWriteLeavesNothing) {
  publish(10);
  EXPECT_THROW(checkpoints_.publish(20,
                                    [](const std::filesystem::path& file, uint64_t) {
                                      write_text(file, "half");
                                      throw DiskFullError("full");
                                    }),
               DiskFullError);
  EXPECT_EQ(names(), (std::vector<std::string>{"checkpoint-10"}));
}

}  // namespace
}  // namespace rethink
