#include "core/format/text_advice.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/shell_word.h"
#include "core/system/piped_bytes.h"
#include "core/text.h"

namespace rethink {
namespace {

bool is_cp1252_alone(char c) {
  constexpr std::string_view kUndefined = "\x81\x8D\x8F\x90\x9D";
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 && byte < 0xA0 && kUndefined.find(c) == std::string_view::npos;
}

}  // namespace

std::string place_in_text(const std::string& name, std::string_view text, size_t byte,
                          size_t first_line) {
  const std::string_view before = text.substr(0, byte);
  const auto line = first_line + static_cast<size_t>(std::ranges::count(before, '\n'));
  const std::string_view of_line = before.substr(before.rfind('\n') + 1);  // npos + 1: 0
  const auto characters = std::ranges::count_if(
      of_line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return fmt::format("{}:{}:{}", name, line, characters + 1);
}

std::string command_on_file(std::string command, const std::string& name) {
  constexpr std::string_view kName = "{}", kNewFile = " > NEW";
  const bool is_piped = names_a_pipe(name);
  if (is_piped && command.ends_with(kNewFile))
    command.replace(command.size() - kNewFile.size(), kNewFile.size(), " | rethink ...");
  if (const size_t at = command.find(kName); at != std::string::npos)
    command.replace(at, kName.size(), is_piped ? "FILE" : for_a_shell(name));
  return command;
}

std::string how_to_convert_to_utf8(std::string_view text) {
  const char* encoding = "LATIN1";
  for (size_t at = find_invalid_utf8(text); at != std::string_view::npos;) {
    if (is_cp1252_alone(text[at])) encoding = "CP1252";
    text.remove_prefix(at + 1);
    at = find_invalid_utf8(text);
  }
  return fmt::format("(iconv -f {} -t UTF-8, or from what it is)", encoding);
}

std::string trouble_with_utf8(std::string_view text, const std::string& name, size_t first_line) {
  const size_t bad = find_invalid_utf8(text);
  if (bad == std::string_view::npos) return "";
  return fmt::format(
      "{}: the byte 0x{:02X} is not UTF-8; convert {} {}",
      place_in_text(name, text, bad, first_line), static_cast<unsigned char>(text[bad]),
      names_a_pipe(name) ? "it before the pipe" : "the file first", how_to_convert_to_utf8(text));
}

}  // namespace rethink
