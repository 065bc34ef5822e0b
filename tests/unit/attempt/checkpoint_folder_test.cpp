#include "experiments/attempt/checkpoint_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>

#include "core/error.h"
#include "core/format/safetensors.h"
#include "core/json.h"
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
    checkpoints_.publish(
        step, [&](const std::filesystem::path& file, const TensorMetadata& description) {
          const std::span<const int64_t> value(&step, 1);
          const TensorViews tensors = {{"step", {Dtype::i64, {1}, std::as_bytes(value)}}};
          write_safetensors(file, tensors, with_description_checksum(description, tensors));
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

  std::filesystem::path events_of(int64_t attempt) const {
    const std::filesystem::path folder = folder_ / ("attempt-" + std::to_string(attempt));
    std::filesystem::create_directory(folder);
    return folder / "events.jsonl";
  }

  TempFolder folder_;
  EventLog events_{events_of(1)};
  CheckpointFolder checkpoints_{folder_ / "checkpoints", events_};
};

TEST_F(CheckpointFolderTest, KeepsTheNewestTwo) {
  for (const int64_t step : {9, 10, 100}) publish(step);
  EXPECT_EQ(names(), (std::vector<std::string>{"checkpoint-10", "checkpoint-100"}));
  EXPECT_EQ(checkpoints_.newest(is_whole)->step, 100);
}

TEST_F(CheckpointFolderTest, IsEmptyBeforeTheFirstCheckpoint) {
  EXPECT_FALSE(checkpoints_.newest(is_whole));
}

TEST_F(CheckpointFolderTest, RecordsTheEventsBeforeIt) {
  events_.prepare_start({{"attempt", 1}});
  events_.metric("train", "loss", 1, 0.5);
  const uint64_t before = events_.offset();
  TensorMetadata recorded;
  checkpoints_.publish(1, [&](const std::filesystem::path& file, const TensorMetadata& place) {
    recorded = place;
    write_text(file, "x");
  });
  EXPECT_EQ(recorded, (TensorMetadata{{"trial", folder_.path().filename().string()},
                                      {"step", "1"},
                                      {"event_attempt", "1"},
                                      {"event_offset", std::to_string(before)}}));
  EXPECT_GT(events_.offset(), before) << "a checkpoint event follows";
}

TEST_F(CheckpointFolderTest, TheStartEventSaysWhichAreDamaged) {
  events_.prepare_start({{"attempt", 1}});
  events_.message("info", "begun");
  const uint64_t before = events_.offset();
  publish(10);
  publish(20);
  write_text(folder_ / "checkpoints" / "checkpoint-20", "x");
  EventLog events(events_of(2));
  events.prepare_start({{"attempt", 2}});
  EXPECT_EQ(CheckpointFolder(folder_ / "checkpoints", events).newest(is_whole)->step, 10);
  std::vector<Json> all;
  read_events(events_of(2), 0, [&](const Json& event) { all.push_back(event); });
  EXPECT_EQ(all.at(0),
            (Json{{"event", "start"},
                  {"attempt", 2},
                  {"resume_step", 10},
                  {"rests_on", {{"attempt", 1}, {"offset", before}, {"drops_later", true}}},
                  {"damaged", {20}}}));
}

TEST_F(CheckpointFolderTest, IsOfNoUseWithoutTheEventsBeforeIt) {
  events_.prepare_start({{"attempt", 1}});
  events_.metric("train", "loss", 1, 0.5);
  publish(10);
  events_.metric("train", "loss", 11, 0.25);
  publish(20);
  const std::string whole = read_text(events_of(1));
  const auto resume_step_with = [&](size_t damaged) {
    std::string events = whole;
    events.at(damaged) ^= 1;
    write_text(events_of(1), events);
    std::filesystem::remove_all(folder_ / "attempt-2");
    std::filesystem::create_directory(folder_ / "attempt-2");
    EventLog later(events_of(2));
    later.prepare_start({{"attempt", 2}});
    const auto found = CheckpointFolder(folder_ / "checkpoints", later).newest(is_whole);
    return found ? found->step : 0;
  };
  EXPECT_EQ(resume_step_with(whole.size() - 10), 20);
  EXPECT_EQ(resume_step_with(whole.find("11")), 10);
  EXPECT_EQ(resume_step_with(10), 0);
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

TEST_F(CheckpointFolderTest, AChangedDescriptionMeansTheOlder) {
  publish(10);
  publish(20);
  const auto newest = folder_ / "checkpoints/checkpoint-20";
  const std::string whole = read_text(newest);
  const std::vector<std::pair<std::string, std::string>> changes = {
      {R"("event_offset":")", R"("event_offset":"0)"},  // an offset beyond the last event
      {R"("event_attempt":"0")", R"("event_attempt":"2")"},
      {"event_offset", "event_offsat"},
      {"description_crc32c", "description_crc32d"},  // an unknown member, no checksum
      {R"("shape":[1])", R"("shape":[ ])"},
      {R"("dtype":"I64")", R"("dtype":"U64")"}};
  for (const auto& [from, to] : changes) {
    std::string bytes = whole;
    ASSERT_NE(bytes.find(from), std::string::npos) << from;
    bytes.replace(bytes.find(from), from.size(), to);
    if (to.size() > from.size()) bytes[0]++;  // the header's length
    write_text(newest, bytes);
    EXPECT_EQ(checkpoints_.newest(is_whole)->step, 10) << to;
  }
  write_text(newest, whole);
  EXPECT_EQ(checkpoints_.newest(is_whole)->step, 20);
}

TEST_F(CheckpointFolderTest, FallsBackToTheOlderIfTheNewestHasAWrongName) {
  publish(10);
  publish(20);
  std::filesystem::rename(folder_ / "checkpoints/checkpoint-20",
                          folder_ / "checkpoints/checkpoint-30");
  EXPECT_EQ(checkpoints_.newest(is_whole)->step, 10);
}

TEST_F(CheckpointFolderTest, FallsBackToTheOlderIfTheNewestIsOfAnotherTrial) {
  publish(10);
  publish(20);
  const std::filesystem::path newest = folder_ / "checkpoints/checkpoint-20";
  const auto rewrite = [&](const char* trial) {
    TensorMetadata metadata;
    const int64_t step = 20;
    const TensorViews tensors = {
        {"step", {Dtype::i64, {1}, std::as_bytes(std::span<const int64_t>(&step, 1))}}};
    {
      const SafetensorsFile file(newest);
      metadata = file.metadata();
    }
    metadata.erase("trial");
    if (trial) metadata["trial"] = trial;
    write_safetensors(newest, tensors, with_description_checksum(metadata, tensors));
  };
  rewrite(nullptr);
  EXPECT_EQ(checkpoints_.newest(is_whole)->step, 20) << "an older version did not say whose it is";
  rewrite("0537edfa61750cdcc8be");
  EXPECT_EQ(checkpoints_.newest(is_whole)->step, 10);
  std::string text;
  read_events(events_of(1), 0, [&](const Json& event) { text = event.value("text", text); });
  EXPECT_EQ(
      text,
      "the checkpoint of step 20 is that of trial 0537edfa61750cdcc8be; going back to step 10");
}

TEST_F(CheckpointFolderTest, ReadsTheDescriptionsOfVersion010) {
  const auto publish_with = [&](const char* offset_key) {
    checkpoints_.publish(5,
                         [&](const std::filesystem::path& file, const TensorMetadata& description) {
                           write_safetensors(file, {},
                                             {{"event_attempt", description.at("event_attempt")},
                                              {offset_key, description.at("event_offset")}});
                         });
  };
  publish_with("event_offset");
  EXPECT_EQ(checkpoints_.newest(is_whole)->step, 5);
  publish_with("event_offsat");
  EXPECT_FALSE(checkpoints_.newest(is_whole));
}

TEST_F(CheckpointFolderTest, ReportsThatItFallsBack) {
  publish(10);
  publish(20);
  write_text(folder_ / "checkpoints/checkpoint-20", "damaged");
  checkpoints_.newest(is_whole);
  std::string text;
  read_events(events_of(1), 0, [&](const Json& event) { text = event.value("text", text); });
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
                                    [](const std::filesystem::path& file, const TensorMetadata&) {
                                      write_text(file, "half");
                                      throw DiskFullError("disk-full", "full");
                                    }),
               DiskFullError);
  EXPECT_EQ(names(), (std::vector<std::string>{"checkpoint-10"}));
}

}  // namespace
}  // namespace rethink
