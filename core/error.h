// The errors a user can meet, each with a code, and the name nearest to a mistyped one. Every other failure is a bug of
// rethink (RETHINK_ASSERT).
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rethink {

/// The name of one kind of mistake, such as "unknown-key": lower-case words joined by hyphens. It stays the same when the
/// words of a message change, so that programs and tests can rely on it (docs/messages.md). A code is made of a literal,
/// and the compiler refuses a literal of another form.
class MessageCode {
 public:
  consteval MessageCode(const char* words) : words_(words) {
    if (!is_well_formed(words_)) throw "a code has lower-case words joined by hyphens";
  }
  constexpr std::string_view text() const { return words_; }
  bool operator==(const MessageCode&) const = default;

 private:
  static consteval bool is_well_formed(std::string_view words) {
    char before = '-';
    for (const char letter : words) {
      const bool is_in_word = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
      if (!is_in_word && (letter != '-' || before == '-')) return false;
      before = letter;
    }
    return before != '-';
  }

  std::string_view words_;
};

/// Base of the errors below. An exception keeps its text as a C string, up to the first byte 0. A
/// quoted line of UTF-16 is full of such bytes, so they are written out as \x00.
class Error : public std::runtime_error {
 public:
  Error(MessageCode code, const std::string& text);
  MessageCode code() const { return code_; }

 private:
  MessageCode code_;
};

/// The user can fix it: a file, an option, a name. Exit code 2, message only.
struct ConfigError : Error {
  using Error::Error;
};

/// The machine cannot: disk full, store in use, library missing. Exit code 3.
struct MachineError : Error {
  using Error::Error;
};

/// A trial cannot continue. The attempt is recorded as failed with this message, and the sweep
/// continues.
struct TrialError : Error {
  using Error::Error;
};

/// Returns "; did you mean 'x'?" for the known name nearest to `given`, or "" if no name is near. A
/// name is near within max(1, length/3) edits (Damerau-Levenshtein, upper and lower case are
/// equal); names of two letters must be equal. Its last dotted part counts too. If no name is near,
/// a prefix counts.
std::string did_you_mean(const std::string& given, const std::vector<std::string>& known);

/// "a, b, c" for messages.
std::string joined(const std::vector<std::string>& names, const std::string& separator = ", ");

[[noreturn]] void assertion_failed(const char* condition, const std::string& values,
                                   std::source_location where);

}  // namespace rethink

/// An assertion that is on in all builds, for bugs of rethink and never for input. `values` is a
/// string with the observed values.
#define RETHINK_ASSERT(condition, values) \
  ((condition)                            \
       ? void(0)                          \
       : ::rethink::assertion_failed(#condition, (values), std::source_location::current()))
