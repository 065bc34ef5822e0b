#include "experiments/attempt/event_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <limits>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "core/store_files/result_file.h"
#include "core/store_files/trial_folder.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

std::vector<Json> events_in(const std::filesystem::path& path) {
  std::vector<Json> events;
  read_events(path, 0, [&](const Json& event) { events.push_back(event); });
  return events;
}

TEST(EventLog, WritesWhatIsReadBack) {
  const TempFolder folder;
  EventLog log(folder / "events.jsonl");
  log.metric("dev", "score", 3, 0.1);
  log.measurement("steps_per_s", 3, 12.5);
  log.message("warning", "line one\nline two");
  log.sync();
  const std::vector<Json> events = events_in(folder / "events.jsonl");
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(
      events[0],
      (Json{
          {"event", "metric"}, {"split", "dev"}, {"name", "score"}, {"step", 3}, {"value", 0.1}}));
  EXPECT_EQ(events[2].at("text"), "line one\nline two");
  EXPECT_EQ(log.offset(), std::filesystem::file_size(folder / "events.jsonl"));
}

TEST(EventLog, WritesNumbersThatJsonDoesNotHaveAsText) {
  const TempFolder folder;
  EventLog log(folder / "events.jsonl");
  log.metric("train", "loss", 1, std::nan(""));
  log.metric("train", "loss", 2, -std::numeric_limits<double>::infinity());
  const std::vector<Json> events = events_in(folder / "events.jsonl");
  EXPECT_EQ(events.at(0).at("value"), "nan");
  EXPECT_EQ(events.at(1).at("value"), "-inf");
}

TEST(EventLog, TicksOnlyNowAndThen) {
  const TempFolder folder;
  EventLog log(folder / "events.jsonl");
  for (int step = 1; step <= 100; ++step) log.tick(step, 100, 0.5, /*every_s=*/1000);
  EXPECT_EQ(events_in(folder / "events.jsonl").size(), 1u);
}

TEST(EventLog, TellsTheRateOfTrainingAlone) {
  const TempFolder folder;
  EventLog log(folder / "events.jsonl");
  log.tick(1, 9, {}, /*every_s=*/0);
  log.tick(3, 9, {}, /*every_s=*/0);
  log.tick(3, 9, {}, /*every_s=*/0);  // as during an evaluation
  log.restart_rate();
  log.tick(3, 9, {}, /*every_s=*/1000);
  log.tick(5, 9, {}, /*every_s=*/0);
  const std::vector<Json> events = events_in(folder / "events.jsonl");
  ASSERT_EQ(events.size(), 5u);
  EXPECT_FALSE(events[0].contains("steps_per_s"));
  EXPECT_GT(events[1].at("steps_per_s"), 0.0);
  EXPECT_EQ(events[2].at("steps_per_s"), 0);
  EXPECT_EQ(events[3].at("steps_per_s"), events[1].at("steps_per_s"));
  EXPECT_GT(events[4].at("steps_per_s"), 0.0);
}

TEST(EventLog, TellsTheRateOfEarlierStepsWithinALongOne) {
  const TempFolder folder;
  EventLog log(folder / "events.jsonl");
  log.tick_within_step(0, 9, {}, /*every_s=*/0);
  log.tick(1, 9, {}, /*every_s=*/0);
  log.tick(3, 9, {}, /*every_s=*/0);
  log.tick_within_step(3, 9, 0.5, /*every_s=*/0);
  log.tick_within_step(3, 9, 0.5, /*every_s=*/1000);
  log.tick(5, 9, {}, /*every_s=*/0);
  const std::vector<Json> events = events_in(folder / "events.jsonl");
  ASSERT_EQ(events.size(), 5u);
  EXPECT_FALSE(events[0].contains("steps_per_s"));
  EXPECT_EQ(events[3].at("steps_per_s"), events[2].at("steps_per_s"));
  EXPECT_GT(events[4].at("steps_per_s"), 0.0);
}

TEST(EventLog, BeginsWithTheStartThatWasAnnounced) {
  const TempFolder folder;
  EventLog log(folder / "events.jsonl");
  log.prepare_start({{"attempt", 2}, {"threads", 1}});
  log.add_start_facts({{"libtorch", "2.11.0"}, {"threads", 4}});
  log.start(40);
  log.metric("train", "loss", 41, 1.0);
  const std::vector<Json> events = events_in(folder / "events.jsonl");
  EXPECT_EQ(events.at(0), (Json{{"event", "start"},
                                {"attempt", 2},
                                {"resume_step", 40},
                                {"threads", 4},
                                {"libtorch", "2.11.0"}}));
}

TEST(EventLog, BeginsWithStepZeroWhenNobodyResumes) {
  const Json metric{
      {"event", "metric"}, {"split", "dev"}, {"name", "loss"}, {"step", 5}, {"value", 0.5}};
  for (const Json& first : {metric, Json{{"event", "end"}, {"outcome", "done"}},
                            Json{{"event", "end"}, {"outcome", "diverged"}}}) {
    const TempFolder folder;
    EventLog log(folder / "events.jsonl");
    log.prepare_start({{"attempt", 1}});
    log.write(first);
    log.message("info", "hello");
    const std::vector<Json> events = events_in(folder / "events.jsonl");
    ASSERT_EQ(events.size(), 3u);
    EXPECT_EQ(events[0], (Json{{"event", "start"}, {"attempt", 1}, {"resume_step", 0}}));
    EXPECT_EQ(events[1], first);
  }
}

const Json kNotBegun{{"event", "start"}, {"attempt", 2}, {"resume_step", 0}, {"begun", false}};

TEST(EventLog, AnAttemptThatEndsBeforeItBeginsSaysSo) {
  const TempFolder folder;
  EventLog log(folder / "events.jsonl");
  log.prepare_start({{"attempt", 2}});
  log.message("error", "cannot open the checkpoint");
  log.measurement("peak_memory_bytes", 0, 4096);
  log.measurement("attempt_s", 0, 0.5);
  log.write({{"event", "end"}, {"outcome", "failed"}});
  const std::vector<Json> events = events_in(folder / "events.jsonl");
  ASSERT_EQ(events.size(), 5u);
  EXPECT_EQ(events[0], kNotBegun);
}

TEST(EventLog, BeginsBehindAMessageWhereItResumes) {
  const TempFolder folder;
  EventLog log(folder / "events.jsonl");
  log.prepare_start({{"attempt", 2}});
  log.message("warning", "one processor only");
  log.add_start_facts({{"damaged", {8}}});
  log.start(7);
  const std::vector<Json> events = events_in(folder / "events.jsonl");
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0], kNotBegun);
  EXPECT_EQ(events[2],
            (Json{{"event", "start"}, {"attempt", 2}, {"resume_step", 7}, {"damaged", {8}}}));
}

TEST(EventLogDeathTest, AResumeAfterTheStartIsABug) {
  const TempFolder folder;
  EventLog log(folder / "events.jsonl");
  log.prepare_start({{"attempt", 1}});
  log.metric("train", "loss", 1, 1.0);
  EXPECT_DEATH(log.start(7), "resume at 7");
}

TEST(EventLog, KnowsTheValueOfTheGreatestStep) {
  const TempFolder folder;
  EventLog log(folder / "events.jsonl");
  log.metric("dev", "score", 5, 0.5);
  log.metric("dev", "score", 9, 0.9);
  log.metric("dev", "score", 7, 0.7);
  log.metric("dev", "score@best", 9, 1.0);
  EXPECT_EQ(log.last_metrics(), (Json{{"dev/score", 0.9}, {"dev/score@best", 1.0}}));
}

TEST(EventLog, AnAttemptHasALogOfItsOwn) {
  const TempFolder folder;
  const EventLog log(folder / "events.jsonl");
  EXPECT_THAT([&] { EventLog(folder / "events.jsonl"); },
              testing::ThrowsMessage<MachineError>(testing::HasSubstr("File exists")));
}

TEST(EventLog, CutAtAnyByteGivesTheWholeLinesBeforeIt) {
  const TempFolder folder;
  EventLog log(folder / "events.jsonl");
  std::vector<uint64_t> ends;
  for (int step = 0; step < 5; ++step) {
    log.metric("train", "loss", step, 1.0 / (step + 1));
    ends.push_back(log.offset());
  }
  const std::string whole = read_text(folder / "events.jsonl");
  for (size_t size = 0; size <= whole.size(); ++size) {
    write_text(folder / "cut.jsonl", whole.substr(0, size));
    size_t taken = 0;
    const EventRead read = read_events(folder / "cut.jsonl", 0, [&](const Json& event) {
      EXPECT_EQ(event.at("step"), taken);
      ++taken;
    });
    const auto lines =
        static_cast<size_t>(std::ranges::count_if(ends, [&](uint64_t end) { return end <= size; }));
    EXPECT_EQ(taken, lines) << "cut at byte " << size;
    EXPECT_FALSE(read.damaged);
    EXPECT_EQ(read.offset, lines == 0 ? 0 : ends[lines - 1]);
  }
}

/// Limits the size of this process's files to `bytes` during its lifetime; a larger write is cut.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(uint64_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(EventLog, ContinuesAfterTheLastWholeLineWhenAWriteFailed) {
  const TempFolder folder;
  EventLog log(folder / "events.jsonl");
  log.message("info", "before");
  const uint64_t whole = log.offset();
  {
    const FileSizeLimit limit(whole + 20);
    EXPECT_THROW(log.message("info", std::string(100, 'x')), DiskFullError);
    EXPECT_EQ(std::filesystem::file_size(folder / "events.jsonl"), whole);
  }
  EXPECT_EQ(log.offset(), whole);
  log.message("info", "after");
  log.message("info", "last");
  std::vector<std::string> texts;
  const EventRead read = read_events(folder / "events.jsonl", 0,
                                     [&](const Json& event) { texts.push_back(event.at("text")); });
  EXPECT_FALSE(read.damaged);
  EXPECT_EQ(texts, (std::vector<std::string>{"before", "after", "last"}));
  EXPECT_EQ(read.offset, std::filesystem::file_size(folder / "events.jsonl"));
}

TEST(EventSummary, DropsRowsThatALaterAttemptRepeats) {
  const TempFolder store;
  const TrialFolder folder(store.path(), "t");
  const auto attempt = [&](int64_t number, int64_t resume_step,
                           const std::vector<std::pair<int64_t, double>>& rows) {
    std::filesystem::create_directories(folder.attempt(number));
    EventLog log(folder.events(number));
    log.prepare_start({{"attempt", number}});
    log.start(resume_step);
    for (const auto& [step, value] : rows) log.metric("train", "loss", step, value);
    return log.offset();
  };
  attempt(1, 0, {{0, 1.0}, {1, 0.1}, {2, 0.2}, {9, 0.9}});
  attempt(2, 2, {{3, 0.3}});
  EXPECT_EQ(summarize_events(folder.path(), 2).metrics, (Json{{"train/loss", 0.3}}));
  EXPECT_EQ(summarize_events(folder.path(), 1).metrics, (Json{{"train/loss", 0.9}}));
  attempt(3, 0, {});
  EXPECT_EQ(summarize_events(folder.path(), 3).metrics, Json::object());
}

}  // namespace
}  // namespace rethink
