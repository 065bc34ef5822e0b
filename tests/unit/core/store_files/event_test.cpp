#include "core/store_files/event.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/error.h"
#include "core/files/hash.h"
#include "core/json.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<Json> some_events() {
  return {
      {{"event", "start"}, {"attempt", 1}, {"resume_step", 0}},
      {{"event", "metric"}, {"split", "dev"}, {"name", "loss"}, {"step", 5}, {"value", 0.1}},
      {{"event", "message"}, {"level", "warning"}, {"text", "two\nlines, a\ttab and \"quotes\""}}};
}

std::string lines_of(const std::vector<Json>& events) {
  std::string text;
  for (const Json& event : events) text += event_line(event);
  return text;
}

struct Taken {
  std::vector<Json> events;
  EventRead read;
};

Taken take_all(const std::filesystem::path& file, uint64_t offset = 0) {
  Taken taken;
  taken.read = read_events(file, offset, [&](const Json& event) { taken.events.push_back(event); });
  return taken;
}

TEST(EventLine, EndsWithTheChecksumOfItsJson) {
  EXPECT_EQ(event_line({{"event", "tick"}}), "{\"event\":\"tick\"}\t2eb48b62\n");
}

TEST(EventLine, StaysOneLineWhateverTheTextHolds) {
  for (const Json& event : some_events()) {
    const std::string line = event_line(event);
    EXPECT_EQ(line.find('\n'), line.size() - 1);
  }
}

TEST(EventLine, ReplacesBytesThatAreNotUtf8) {
  EXPECT_THAT(event_line({{"event", "message"}, {"text", "\xff"}}), HasSubstr("\xEF\xBF\xBD"));
}

TEST(EventKind, IsReadFromTheWordThatIsWritten) {
  for (size_t i = 0; i < static_cast<size_t>(EventKind::other); ++i) {
    const auto kind = static_cast<EventKind>(i);
    EXPECT_EQ(event_kind({{"event", to_text(kind)}}), kind) << to_text(kind);
  }
}

TEST(EventKind, OfAnotherVersionIsOther) {
  EXPECT_EQ(event_kind({{"event", "metrics"}}), EventKind::other);
  EXPECT_EQ(event_kind({{"event", 3}}), EventKind::other);
}

TEST(ReadEvents, TreatALineNestedWithoutEndAsDamage) {
  const TempFolder folder;
  const std::string deep(300'000, '['), closed(300'000, ']');
  const std::string text = R"({"event":"message","x":)" + deep + closed + "}";
  write_text(folder / "events.jsonl",
             event_line({{"event", "start"}}) + fmt::format("{}\t{:08x}\n", text, crc32c(text)));
  int events = 0;
  const EventRead read = read_events(folder / "events.jsonl", 0, [&](const Json&) { ++events; });
  EXPECT_EQ(events, 1);
  EXPECT_TRUE(read.damaged);
}

TEST(ReadEvents, CutAtEveryByteGivesWholeLinesOnlyAndContinuesWhereItStopped) {
  const TempFolder folder;
  const std::vector<Json> events = some_events();
  const std::string text = lines_of(events);
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    write_text(folder / "events.jsonl", text.substr(0, cut));
    Taken first = take_all(folder / "events.jsonl");
    EXPECT_FALSE(first.read.damaged) << cut;
    EXPECT_LE(first.read.offset, cut);
    write_text(folder / "events.jsonl", text);
    const Taken second = take_all(folder / "events.jsonl", first.read.offset);
    first.events.insert(first.events.end(), second.events.begin(), second.events.end());
    EXPECT_EQ(first.events, events) << cut;
    EXPECT_EQ(second.read.offset, text.size());
  }
}

TEST(ReadEvents, AnyChangedByteOfACompleteLineIsFound) {
  const TempFolder folder;
  const std::string first = event_line(some_events()[0]), second = event_line(some_events()[1]);
  for (size_t at = 0; at + 1 < first.size(); ++at) {  // without its newline
    std::string changed = first + second;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    write_text(folder / "events.jsonl", changed);
    const Taken taken = take_all(folder / "events.jsonl");
    EXPECT_TRUE(taken.read.damaged) << at;
    EXPECT_EQ(taken.read.offset, 0u) << at;
    EXPECT_TRUE(taken.events.empty()) << at;
  }
}

TEST(ReadEvents, ReadsALineLongerThanItsBuffer) {
  const TempFolder folder;
  const std::vector<Json> events = {{{"event", "message"}, {"text", std::string(300000, 'x')}},
                                    {{"event", "tick"}}};
  write_text(folder / "events.jsonl", lines_of(events));
  EXPECT_EQ(take_all(folder / "events.jsonl").events, events);
}

TEST(EventsAreWhole, AnAttemptWithoutAStartIsNotTheFirst) {
  const TempFolder folder;
  const std::map<int64_t, std::filesystem::path> files{{1, folder / "1"}, {2, folder / "2"}};
  const std::string begun = lines_of(some_events());
  write_text(files.at(1), begun);
  write_text(files.at(2), lines_of({{{"event", "start"}, {"resume_step", 0}, {"begun", false}}}));
  EXPECT_TRUE(events_are_whole(files, std::nullopt));
  write_text(files.at(1), "x" + begun);
  EXPECT_FALSE(events_are_whole(files, std::nullopt));
}

TEST(EventsAreWhole, AnAttemptThatWentOnNeedsTheOneBefore) {
  const TempFolder folder;
  write_text(folder / "2", lines_of({{{"event", "start"}, {"resume_step", 5}}}));
  EXPECT_FALSE(events_are_whole({{2, folder / "2"}}, std::nullopt));
  write_text(folder / "1", lines_of(some_events()));
  EXPECT_TRUE(events_are_whole({{1, folder / "1"}, {2, folder / "2"}}, std::nullopt));
}

TEST(ReadEvents, SaysWhenTheFileIsMissingOrLostItsEnd) {
  const TempFolder folder;
  EXPECT_THAT([&] { take_all(folder / "events.jsonl"); },
              ThrowsMessage<MachineError>(HasSubstr("cannot be read")));
  write_text(folder / "events.jsonl", "abc");
  EXPECT_THAT([&] { take_all(folder / "events.jsonl", 4); }, ThrowsCode("file-error"));
}

}  // namespace
}  // namespace rethink
