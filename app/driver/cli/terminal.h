// The program's terminal, pipes and signals.
#pragma once

#include <signal.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

namespace rethink {

/// While an object of this class exists, std::cout and std::cerr show control characters and
/// invalid UTF-8 as text. Texts of stores, sweeps and logs may be foreign, and a terminal obeys
/// control characters, also behind a pipe (`rethink status | head`).
class TerminalOutput {
 public:
  TerminalOutput();
  ~TerminalOutput();
  TerminalOutput(const TerminalOutput&) = delete;
  TerminalOutput& operator=(const TerminalOutput&) = delete;

  /// Declares that the command prints data for other programs: unless standard output is a
  /// terminal, it gets every byte unchanged.
  void pass_data();

 private:
  /// Passes whole lines and flushed text to `to`.
  class Buffer : public std::streambuf {
   public:
    explicit Buffer(std::streambuf* to) : to_(to) {}

   protected:
    int_type overflow(int_type byte) override;
    int sync() override;

   private:
    bool write_out();
    std::streambuf* const to_;
    std::string text_;
  };

  std::streambuf* const out_;  // earlier buffer of std::cout or std::cerr
  std::streambuf* const error_;
  Buffer shown_out_, shown_error_;
};

/// Returns whether `out` is a terminal that understands escape sequences. A terminal with
/// TERM=dumb, or without TERM, does not.
bool obeys_escapes(std::FILE* out);

struct TerminalSize {
  int columns = 80, rows = 24;
};
/// Returns the default size if `out` is not a terminal.
TerminalSize size_of_terminal(std::FILE* out);
/// Returns 80 if `out` is not a terminal.
int columns_of_terminal(std::FILE* out);

/// Returns the columns of a terminal that `text` takes.
int columns_of(const std::string& text);
/// Returns `text` cut to `columns`, with an ellipsis if it was cut.
std::string cut(const std::string& text, int columns);
/// Returns `text` in at most `columns` characters; an ellipsis replaces its middle if it is longer.
/// `begin` characters stay before the ellipsis, by default half of those that stay.
std::string cut_middle(const std::string& text, int columns,
                       std::optional<size_t> begin = std::nullopt);

/// Least width of a trial's title beside its numbers, on a narrow terminal [characters].
inline constexpr int kLeastTitle = 12;

/// Lines at the end of a terminal that the next lines overwrite.
class Picture {
 public:
  explicit Picture(std::FILE* out) : out_(out) {}
  /// Shows at most as many lines as the terminal has rows, each cut to its columns.
  void show(std::vector<std::string> lines);
  /// Removes the lines, so that other text may follow.
  void erase();

 private:
  std::FILE* out_;
  size_t lines_ = 0;
};

/// Returns "3 h 05 min", "12 min", "48 s", "0.4 s".
std::string duration_text(double seconds);
/// Returns an estimated duration: "45 s", "12 min", "3.5 h".
std::string rough_duration_text(double seconds);
/// Returns "40 MB".
std::string size_text(double bytes);

// Handling of signals that ask a command to stop, and of signals that would kill the command
// silently.

/// Makes writes beyond the limit of a file's size (ulimit -f) fail with EFBIG, which
/// throw_file_error explains, instead of killing the process without a message. Started programs
/// inherit this.
void report_too_large_files();

/// Handles SIGINT, SIGTERM and SIGHUP while an object of this class exists; a hangup that the
/// caller ignores (`nohup`) stays ignored. Its destructor restores the earlier effect.
class SignalHandlers {
 public:
  SignalHandlers(const SignalHandlers&) = delete;
  SignalHandlers& operator=(const SignalHandlers&) = delete;

 protected:
  explicit SignalHandlers(void (*handler)(int));
  ~SignalHandlers();

 private:
  std::vector<std::pair<int, struct sigaction>> before_;
};

/// Counts the signals. Also makes writes to a closed pipe fail instead of killing the process.
class SignalCounter : SignalHandlers {
 public:
  SignalCounter();
  /// Returns the count of the process, over all counters.
  const std::atomic<int>& seen() const;
};

/// Makes a signal write `words` to standard error and end the process at once with exit code 130,
/// for commands that replace each file as a whole and can be given again. Only one may exist; a
/// SignalCounter replaces it while it exists.
class InterruptMessage : SignalHandlers {
 public:
  explicit InterruptMessage(const std::string& words);
};

}  // namespace rethink
