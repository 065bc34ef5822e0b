// The kinds of errors a user can meet. Everything else is a bug of ours (RETHINK_ASSERT).
#pragma once

#include <functional>
#include <source_location>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace rethink {

/// What the errors below have in common. An exception keeps its text as C does, up to the first
/// byte 0, of which a quoted line of UTF-16 is full: such bytes are written out as \x00.
struct Error : std::runtime_error {
  explicit Error(const std::string& text);
};

/// The user can fix it: a file, an option, a name. Exit code 2, message only.
struct ConfigError : Error {
  using Error::Error;
};

/// The machine cannot: disk full, store in use, library missing. Exit code 3.
struct MachineError : Error {
  using Error::Error;
};

/// One trial cannot go on; the attempt is recorded as failed with this message and the sweep goes
/// on.
struct TrialError : Error {
  using Error::Error;
};

/// Where something stands in a file that people write; line and column count from 1, 0 = unknown.
struct Position {
  std::string file;
  int line = 0;
  int column = 0;
  bool operator==(const Position&) const = default;
};

/// Problems of one file or command line, collected so that a user sees up to 20 at once.
class Problems {
 public:
  static constexpr size_t kShown = 20;
  static constexpr size_t kKept = 200;  // later problems are counted, not kept

  /// `text`: what was wrong, what was expected, what to do; lower case, no final period.
  void add(const Position& where, const std::string& text);
  /// The same for a text that takes time to make (did_you_mean), in a loop over what a file may
  /// hold thousands of: `text` is called only for a problem that is kept.
  void add(const Position& where, const std::function<std::string()>& text);
  bool empty() const { return problems_.empty(); }
  /// Different problems, for messages: one that is added again is not counted.
  size_t size() const { return problems_.size() + counted_; }
  /// How often a problem was added, repeats included. More than before means that something failed,
  /// also where an alias gives two stages the same problem at the same place.
  size_t added() const { return added_; }
  /// Adds those of `other` that are not here yet; `about` begins their texts ("profile 'small': ").
  void take(const Problems& other, const std::string& about = "");
  /// Throws ConfigError with "file:line:col: error: text", the source line and a caret, for each
  /// problem.
  void throw_if_any() const;
  /// Adds a problem that nothing can follow, and throws.
  [[noreturn]] void refuse(const Position& where, const std::string& text);

 private:
  struct Problem {
    Position where;
    std::string text;
    bool operator==(const Problem&) const = default;
  };
  bool has(const Problem& problem) const;
  /// The order in which people go through a file; files in the order in which they were met.
  std::vector<const Problem*> by_place() const;

  std::vector<Problem> problems_;
  size_t counted_ = 0;  // beside the problems that are kept
  size_t added_ = 0;
};

/// "; did you mean 'x'?" for the known name nearest to `given`, or "" when none is near. A name
/// counts as near within max(1, length/3) edits (Damerau-Levenshtein, letters of either case are
/// equal), one of two letters within none; so does its last dotted part, and, where none is, a name
/// that the other begins with.
/// Words of other programs ("learning_rate", "hidden_size", "gpu") mean ours. "" too for a `given`
/// that is known: it is no slip.
std::string did_you_mean(const std::string& given, const std::vector<std::string>& known);

/// "a, b, c" for messages.
std::string joined(const std::vector<std::string>& names, const std::string& separator = ", ");

[[noreturn]] void assertion_failed(const char* condition, const std::string& values,
                                   std::source_location where);

}  // namespace rethink

/// Always on; for our own mistakes only, never for input. `values` is a string that says what was
/// seen.
#define RETHINK_ASSERT(condition, values) \
  ((condition)                            \
       ? void(0)                          \
       : ::rethink::assertion_failed(#condition, (values), std::source_location::current()))
