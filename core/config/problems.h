// Mistakes of a file or command line that people write, up to 20 reported at once, each with its line
// and a caret.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

namespace rethink {

/// A position in a file that people write. Line and column count from 1; 0 = unknown.
struct Position {
  std::string file;
  int line = 0;
  int column = 0;
  bool operator==(const Position&) const = default;
};

/// A mistake: its place, the code of its kind, and what was wrong, what was expected and what to do.
struct Problem {
  Position where;
  MessageCode code;
  std::string text;
  bool operator==(const Problem&) const = default;
};

/// All problems of a file as one error, in the order of their positions. Its code is the code of
/// the first problem.
struct ProblemsError : ConfigError {
  ProblemsError(const std::string& text, std::vector<Problem> found)
      : ConfigError(found.front().code, text), problems(std::move(found)) {}
  std::vector<Problem> problems;
};

/// Problems of one file or command line, collected so that a user sees up to 20 at once.
class Problems {
 public:
  static constexpr size_t kShown = 20;
  static constexpr size_t kKept = 200;  // later problems are counted, not kept

  /// `text`: what was wrong, what was expected, what to do; lower case, no final period.
  void add(const Position& where, MessageCode code, const std::string& text);
  /// Adds a problem whose text takes time to make (did_you_mean), in a loop over perhaps thousands
  /// of entries. `text` is called only for a problem that is kept.
  void add(const Position& where, MessageCode code, const std::function<std::string()>& text);
  bool empty() const { return problems_.empty(); }
  /// Returns whether a key of this file, or of this flag of the command line, is unknown at its
  /// position: a problem with the code unknown-key.
  bool has_unknown_key(const std::string& file) const;
  bool has_problem_at(const Position& where) const;
  /// Returns the number of different problems, for messages.
  size_t size() const { return problems_.size() + counted_; }
  /// Returns how often problems were added, repeats included. An increase means that something
  /// failed, also if an alias gives two stages the same problem at the same position.
  size_t added() const { return added_; }
  /// Adds the problems of `other` that are missing here. `about` becomes the beginning of their
  /// texts ("profile 'small': ").
  void take(const Problems& other, const std::string& about = "");
  /// Throws ProblemsError with "file:line:col: error: text", the source line and a caret, for each
  /// problem.
  void throw_if_any() const;
  /// Adds a problem after which reading cannot continue, and throws.
  [[noreturn]] void refuse(const Position& where, MessageCode code, const std::string& text);

 private:
  bool has(const Problem& problem) const;
  /// The order in which people go through a file; files in the order in which they were met.
  std::vector<Problem> by_place() const;

  std::vector<Problem> problems_;
  size_t counted_ = 0;  // problems that were counted but not kept
  size_t added_ = 0;
};

}  // namespace rethink
