// Standard output and standard error of the commands: text of stores, sweeps and logs may be a
// stranger's, and a terminal obeys control characters, also behind a pipe (`rethink status | head`).
#pragma once

#include <streambuf>
#include <string>

namespace rethink {

/// While it lives, std::cout and std::cerr show control characters and bytes that are not UTF-8 as
/// text.
class TerminalOutput {
 public:
  TerminalOutput();
  ~TerminalOutput();
  TerminalOutput(const TerminalOutput&) = delete;
  TerminalOutput& operator=(const TerminalOutput&) = delete;

  /// The command prints data for other programs: unless standard output is a terminal, it gets every
  /// byte as it is.
  void pass_data();

 private:
  /// Gives whole lines, and what is flushed, to `to`.
  class Buffer : public std::streambuf {
   public:
    explicit Buffer(std::streambuf* to) : to_(to) {}

   protected:
    int_type overflow(int_type byte) override;
    int sync() override;

   private:
    bool give();
    std::streambuf* const to_;
    std::string text_;
  };

  std::streambuf* const out_;  // of std::cout and std::cerr before
  std::streambuf* const error_;
  Buffer shown_out_, shown_error_;
};

}  // namespace rethink
