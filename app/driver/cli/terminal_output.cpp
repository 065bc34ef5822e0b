#include "app/driver/cli/terminal_output.h"

#include <unistd.h>

#include <iostream>

#include "core/text.h"

namespace rethink {

TerminalOutput::TerminalOutput()
    : out_(std::cout.rdbuf()), error_(std::cerr.rdbuf()), shown_out_(out_), shown_error_(error_) {
  std::cout.rdbuf(&shown_out_);
  std::cerr.rdbuf(&shown_error_);
}

void TerminalOutput::pass_data() {
  if (isatty(STDOUT_FILENO)) return;
  std::cout.flush();
  std::cout.rdbuf(out_);
}

TerminalOutput::~TerminalOutput() {
  std::cout.flush();
  std::cerr.flush();
  std::cout.rdbuf(out_);
  std::cerr.rdbuf(error_);
}

bool TerminalOutput::Buffer::give() {
  const std::string shown = visible_controls(text_);
  text_.clear();
  const auto length = static_cast<std::streamsize>(shown.size());
  return to_->sputn(shown.data(), length) == length;
}

std::streambuf::int_type TerminalOutput::Buffer::overflow(int_type byte) {
  if (traits_type::eq_int_type(byte, traits_type::eof())) return traits_type::not_eof(byte);
  text_ += traits_type::to_char_type(byte);
  return byte != '\n' || give() ? byte : traits_type::eof();
}

int TerminalOutput::Buffer::sync() {
  return give() && to_->pubsync() == 0 ? 0 : -1;
}

}  // namespace rethink
