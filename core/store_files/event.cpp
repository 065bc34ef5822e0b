#include "core/store_files/event.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/hash.h"
#include "core/files/store_file.h"
#include "core/json.h"
#include "core/store_files/trial_folder.h"

namespace rethink {
namespace {

constexpr size_t kChecksumDigits = 8;

/// Returns the event of a line without its newline, or a discarded value for a damaged line.
Json event_of(std::string_view line) {
  Json bad = Json(Json::value_t::discarded);
  if (line.size() < kChecksumDigits + 1) return bad;
  const size_t tab = line.size() - kChecksumDigits - 1;
  const std::string_view text = line.substr(0, tab);
  if (line[tab] != '\t' || line.substr(tab + 1) != fmt::format("{:08x}", crc32c(text))) return bad;
  if (is_nested_too_deep(text)) return bad;
  Json event = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return event.is_object() && event.contains("event") ? event : bad;
}

// In the order of EventKind.
constexpr std::array kWords = {"metric",     "measurement", "tick",     "start", "environment",
                               "checkpoint", "artifact",    "selected", "text",  "image",
                               "message",    "inexact",     "end"};
static_assert(kWords.size() == static_cast<size_t>(EventKind::other));

}  // namespace

const char* to_text(EventKind kind) {
  return kWords.at(static_cast<size_t>(kind));
}

EventKind event_kind(const Json& event) {
  const Json& word = event.at("event");
  if (!word.is_string()) return EventKind::other;
  const auto found = std::ranges::find(kWords, word.get_ref<const std::string&>());
  return static_cast<EventKind>(found - kWords.begin());
}

std::string event_line(const Json& event) {
  const std::string text = event.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() + kChecksumDigits + 1 > kMostEventBytes) {
    throw TrialError("too-large",
                     fmt::format("an event of {} MiB, expected at most {} MiB: {} ...",
                                 text.size() >> 20, kMostEventBytes >> 20, text.substr(0, 80)));
  }
  return fmt::format("{}\t{:08x}\n", text, crc32c(text));
}

EventRead read_events(const std::filesystem::path& path, uint64_t offset,
                      const std::function<void(const Json&)>& take, uint64_t last) {
  if (!store_file_problem(path).empty()) return {offset, true};
  if (!std::filesystem::exists(path))
    throw MachineError("file-error", fmt::format("{}: cannot be read", path.string()));
  const FileDescriptor file = open_store_file(path, O_RDONLY);
  const uint64_t size = static_cast<uint64_t>(lseek(file.get(), 0, SEEK_END));
  if (size < offset) {
    throw MachineError("file-error", fmt::format("{}: has {} bytes, but {} were read before",
                                                 path.string(), size, offset));
  }
  lseek(file.get(), static_cast<off_t>(offset), SEEK_SET);

  // After a start event of another trial or attempt, the following events are not of this attempt.
  const std::filesystem::path attempt = path.parent_path();
  const auto is_foreign = [&](const Json& event) {
    return event_kind(event) == EventKind::start && !not_of_this_attempt(event, attempt).empty();
  };
  EventRead result{offset, false};
  std::string pending;  // starts at result.offset
  std::string buffer(size_t{1} << 16, '\0');
  for (ssize_t got; (got = read(file.get(), buffer.data(), buffer.size())) != 0;) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_file_error(path, "reading failed", errno);
    size_t begin = 0, searched = pending.size();
    pending.append(buffer.data(), static_cast<size_t>(got));
    for (size_t end; (end = pending.find('\n', searched)) != std::string::npos;
         searched = begin = end + 1) {
      if (result.offset >= last) return result;
      const Json event = event_of(std::string_view(pending).substr(begin, end - begin));
      if (event.is_discarded() || is_foreign(event)) return {result.offset, true};
      take(event);
      result.offset += end + 1 - begin;
    }
    pending.erase(0, begin);
    if (pending.size() > kMostEventBytes) return {result.offset, true};
  }
  return result;
}

std::optional<int64_t> resume_step_of(const Json& start) {
  if (!start.value("begun", true)) return std::nullopt;
  return start.at("resume_step").get<int64_t>();
}

namespace {

struct AttemptEvents {
  Json start;  // the last start event; null: none
  EventRead read;
};

AttemptEvents events_of_attempt(const std::filesystem::path& path,
                                uint64_t end = std::numeric_limits<uint64_t>::max()) {
  AttemptEvents events;
  events.read = read_events(
      path, 0,
      [&](const Json& event) {
        if (event_kind(event) == EventKind::start) events.start = event;
      },
      end);
  return events;
}

}  // namespace

bool events_are_whole(const std::map<int64_t, std::filesystem::path>& files,
                      std::optional<EventPlace> place) {
  EventPlace end = place.value_or(EventPlace{});  // attempt 0: unknown
  bool has_gone_on = false;
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    const auto& [attempt, path] = *file;
    const bool known = end.attempt != 0;
    if ((known && end.attempt != attempt) || !std::filesystem::exists(path)) continue;
    const auto [start, read] = events_of_attempt(path);
    if (known ? read.offset < end.offset : read.damaged) return false;
    // An attempt that ended before it began left no checkpoint to resume from.
    const std::optional<int64_t> resumed = start.is_null() ? std::nullopt : resume_step_of(start);
    if (!resumed) continue;
    if (*resumed == 0) return true;
    has_gone_on = true;
    end = {};
    if (const auto rests_on = start.find("rests_on"); rests_on != start.end())
      end = {rests_on->at("attempt"), rests_on->at("offset")};
  }
  return end.attempt == 0 && !has_gone_on;
}

std::optional<EventPlace> resume_place_of(const Json& start) {
  if (resume_step_of(start).value_or(0) == 0) return std::nullopt;
  const auto rests_on = start.find("rests_on");
  if (rests_on == start.end() || !rests_on->value(kDropsLater, false)) return std::nullopt;
  return EventPlace{rests_on->at("attempt"), rests_on->at("offset")};
}

uint64_t visit_counted_events(const std::map<int64_t, std::filesystem::path>& files,
                              const EventPlace& place,
                              const std::function<void(const Json&)>& take) {
  std::vector<EventPlace> parts;  // the newest first
  EventPlace end = place;
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    const auto& [attempt, path] = *file;
    if (attempt > end.attempt || !std::filesystem::exists(path)) continue;
    if (attempt < end.attempt) end = {attempt, std::numeric_limits<uint64_t>::max()};
    parts.push_back(end);
    if (std::next(file) == files.rend()) break;  // a start says only which earlier attempts count
    const Json start = events_of_attempt(path, end.offset).start;
    const std::optional<int64_t> step = start.is_null() ? std::nullopt : resume_step_of(start);
    if (step && *step == 0) break;
    end = {attempt - 1, std::numeric_limits<uint64_t>::max()};
    if (step) end = resume_place_of(start).value_or(end);
  }
  uint64_t bytes = 0;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    bytes = read_events(files.at(part->attempt), 0, take, part->offset).offset;
  return bytes;
}

uint64_t visit_counted_events(const std::map<int64_t, std::filesystem::path>& files, int64_t last,
                              const std::function<void(const Json&)>& take) {
  return visit_counted_events(files, EventPlace{last, std::numeric_limits<uint64_t>::max()}, take);
}

}  // namespace rethink
