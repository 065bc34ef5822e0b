// What commands print on a terminal: text of stores, sweeps and logs may be a stranger's, and a
// terminal obeys control characters.
#pragma once

#include <streambuf>
#include <string>

namespace rethink {

/// While it lives, std::cout shows control characters as text if standard output is a terminal, and
/// std::cerr likewise. Files and pipes get every byte.
class TerminalOutput {
 public:
  TerminalOutput();
  ~TerminalOutput();
  TerminalOutput(const TerminalOutput&) = delete;
  TerminalOutput& operator=(const TerminalOutput&) = delete;

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
