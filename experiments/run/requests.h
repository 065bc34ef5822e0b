// Requests of `cancel` and `retry`. The owner of the store's lock carries them out, which is the
// driver if one is running. Other processes write requests/<uuid>.json and wait for
// requests/<uuid>.answer.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/json_shape.h"
#include "core/json_fwd.h"
#include "results/store/store.h"

namespace rethink {

class Scheduler;

struct Request {
  enum class Kind { cancel, retry };
  Kind kind = Kind::cancel;
  std::vector<std::string> targets;    // sweeps (name or file) and trials (id or its beginning)
  std::optional<std::string> profile;  // of the sweeps; none = all
  /// Selects the sweeps' run with this PlanChoices::text and profile (none: without a profile); empty: all runs.
  std::optional<std::string> choice{};
  std::set<std::string> only{};       // retry: outcomes or states; empty = all
  std::set<std::string> not_meant{};  // retry: trials that the sweeps' files no longer contain
  std::string by{};                   // the requester, for the driver's log
  std::string store_option{};         // " --store DIR" if the requester must type it
};

/// Result of a request.
struct AppliedRequest {
  std::string text;              // a sentence for the user
  std::string advice{};          // "; ...": commands that help, as the requester must type them
  bool complete = true;          // false: a trial or a worker was left as it is
  std::set<std::string> trials;  // that were cancelled or may run again
};

/// Conversion between a request and its file's text. Throws ConfigError if it is damaged.
std::string request_text(const Request& request);
Request request_from(const std::string& text, const std::filesystem::path& file);

/// Returns the object in a request's file. Throws ConfigError if it is damaged.
Json sound_request(const std::string& text, const JsonShape& shape,
                   const std::filesystem::path& file);

/// Returns the files in requests/ with this ending. Returns none, with a warning, if that folder is
/// a link: its target does not belong to the store, and handled files are removed.
std::vector<std::filesystem::path> request_files(const std::filesystem::path& store,
                                                 std::string_view ending);

/// Carries out a request: durably in the folders, then in the index and, if a scheduler runs,
/// there. Throws ConfigError if a target is not in the store.
AppliedRequest apply_request(const Request& request, const std::filesystem::path& store,
                             Store& index, Scheduler* scheduler);

/// Answers all waiting requests. Returns lines for the driver's log: who requested what, and which
/// trials it concerned.
std::vector<std::string> answer_requests(const std::filesystem::path& store, Store& index,
                                         Scheduler* scheduler);

/// Outcome of a request.
struct RequestAnswer {
  std::string text;      // a sentence for the user
  bool complete = true;  // false: a trial or a worker was left as it is
  bool shared = false;   // of the queue: the driver has a sweep for another command, too
};

/// Returns the answer to the request in `file`, when it exists; both files are then removed. Throws
/// ConfigError if the request was wrong, and MachineError if the answer is damaged.
std::optional<RequestAnswer> take_answer(const std::filesystem::path& file);
/// Durable: the answer to the request in `file`.
void write_answer(const std::filesystem::path& file, bool good, const RequestAnswer& answer);

/// Returns who makes requests: "ada, process 4711 on host".
std::string requester_text();

/// Carries out the request here if no process holds the store; else requests it from the holder and
/// waits for the answer. Throws MachineError without an answer.
RequestAnswer submit_request(Request request, const std::filesystem::path& store);

}  // namespace rethink
