#include "tests/support/mutations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>

#include "core/error.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
constexpr double kMostSeconds = 10;
#else
constexpr double kMostSeconds = 1;
#endif
constexpr size_t kMostFailures = 10, kShownBytes = 3000;

using namespace std::string_view_literals;

/// Tokens that are hard for readers of YAML and JSON.
constexpr std::array kTokens = {"*a"sv,
                                "&a"sv,
                                "&a x"sv,
                                "!!binary"sv,
                                "!x"sv,
                                "{"sv,
                                "}"sv,
                                "["sv,
                                "]"sv,
                                "{}"sv,
                                "[]"sv,
                                "[[]]"sv,
                                "{a: {b: c}}"sv,
                                "\""sv,
                                "'"sv,
                                "\"\""sv,
                                "''"sv,
                                "|"sv,
                                ">"sv,
                                "~"sv,
                                "null"sv,
                                "true"sv,
                                "no"sv,
                                ".nan"sv,
                                ".inf"sv,
                                "-.inf"sv,
                                "nan"sv,
                                "1e999"sv,
                                "1e-999"sv,
                                "-1e308"sv,
                                "99999999999999999999"sv,
                                "9223372036854775807"sv,
                                "-9223372036854775808"sv,
                                "18446744073709551615"sv,
                                "4294967296"sv,
                                "-1"sv,
                                "0"sv,
                                "-0.0"sv,
                                "0x10"sv,
                                "010"sv,
                                "1.5"sv,
                                "1_000"sv,
                                "<<"sv,
                                "? x"sv,
                                "- x"sv,
                                "---"sv,
                                "..."sv,
                                "%YAML 1.2"sv,
                                "@x"sv,
                                "`"sv,
                                "#"sv,
                                ":"sv,
                                ": "sv,
                                ","sv,
                                "."sv,
                                ".."sv,
                                "a.b.c"sv,
                                "../../x"sv,
                                "/dev/null"sv,
                                "%s%n"sv,
                                "{0}"sv,
                                "\\u0000"sv,
                                "\\ud800"sv,
                                "\\"sv,
                                "\0"sv,
                                "\xef\xbb\xbf"sv,
                                "\r"sv,
                                "\r\n"sv,
                                "\n"sv,
                                "\n\n"sv,
                                "\t"sv,
                                "\x1b[31m"sv,
                                "\x7f"sv,
                                "\xc2\x85"sv,
                                "\xe2\x80\xa8"sv,
                                "\xe2\x80\xae"sv,
                                "\xed\xa0\x80"sv,
                                "\xff\xfe"sv,
                                "\xc3"sv,
                                "\xf0\x9f\x98\x80"sv};

std::string nasty_token(RandomChoices& choices) {
  switch (choices.below(24)) {
    case 0:
      return std::string(5000, choices.one_of("a[{ .:-\n"sv));
    case 1:
      return std::to_string(choices.below(100'000));
    default:
      return std::string(choices.one_of(kTokens));
  }
}

struct Range {
  size_t begin = 0, end = 0;
};

bool is_of_word(char c) {
  return std::strchr(" \t\r\n:,[]{}\"'#", c) == nullptr;
}

/// Returns the word at or after a random position; empty at the end.
Range random_word(const std::string& text, RandomChoices& choices) {
  Range word;
  word.begin = choices.below(text.size());
  while (word.begin > 0 && is_of_word(text[word.begin - 1])) --word.begin;
  while (word.begin < text.size() && !is_of_word(text[word.begin])) ++word.begin;
  word.end = word.begin;
  while (word.end < text.size() && is_of_word(text[word.end])) ++word.end;
  return word;
}

std::string word_of(const std::string& text, RandomChoices& choices) {
  const Range word = random_word(text, choices);
  return text.substr(word.begin, word.end - word.begin);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return lines;
}

std::string with_changed_lines(const std::string& text, const std::vector<std::string>& others,
                               RandomChoices& choices) {
  std::vector<std::string> lines = lines_of(text);
  if (lines.empty()) return text;
  const size_t at = choices.below(lines.size()), other = choices.below(lines.size());
  const auto place = lines.begin() + static_cast<ptrdiff_t>(at);
  switch (choices.below(6)) {
    case 0:
      std::swap(lines[at], lines[other]);
      break;
    case 1:
      lines.insert(place, std::string(lines[other]));
      break;
    case 2:
      lines.erase(place);
      break;
    case 3:
      lines[at].insert(0, 1 + choices.below(6), ' ');
      break;
    case 4:
      lines[at].erase(0, std::min<size_t>(1 + choices.below(3), lines[at].find_first_not_of(' ')));
      break;
    default:
      const std::vector<std::string> source = lines_of(choices.one_of(others));
      if (source.empty()) break;
      const size_t first = choices.below(source.size()),
                   count = std::min(source.size() - first, 1 + choices.below(4));
      lines.insert(place, source.begin() + static_cast<ptrdiff_t>(first),
                   source.begin() + static_cast<ptrdiff_t>(first + count));
  }
  std::string changed;
  for (const std::string& line : lines) changed += line;
  return changed;
}

std::string with_changed_characters(std::string text, RandomChoices& choices) {
  const size_t at = choices.below(text.size());
  switch (choices.below(4)) {
    case 0:
      return text.erase(at, 1);
    case 1:
      return text.insert(at, 1, text[at]);
    case 2:
      text[at] = static_cast<char>(choices.below(256));
      return text;
    default:
      text[at] = choices.one_of("{}[]:,-#&*!|>'\"%@`? \n0a"sv);
      return text;
  }
}

std::string mutated_once(std::string text, const std::vector<std::string>& others,
                         RandomChoices& choices) {
  if (text.empty()) return nasty_token(choices);
  const Range word = random_word(text, choices);
  const size_t length = word.end - word.begin;
  switch (choices.below(9)) {
    case 0:
      return with_changed_characters(std::move(text), choices);
    case 1:
    case 2:
      return with_changed_lines(text, others, choices);
    case 3:
      return text.insert(choices.below(text.size()), nasty_token(choices));
    case 4:
      return text.replace(word.begin, length, std::string(word_of(text, choices)));
    case 5:
      return text.replace(word.begin, length, word_of(choices.one_of(others), choices));
    case 6:
      if (choices.below(8) == 0) return text.substr(0, choices.below(text.size()));
      return text.insert(word.end, text.substr(word.begin, length));
    default:
      return text.replace(word.begin, length, nasty_token(choices));
  }
}

/// The current mutation, which is reported if it crashes the program.
std::string tried;

void report_crash(int number) {
  if (::write(STDERR_FILENO, tried.data(), tried.size()) < 0) std::_Exit(1);
  ::signal(number, SIG_DFL);
  ::raise(number);
}

/// Reports which mutation was tried when the program crashes, as long as it lives.
class CrashReport {
 public:
  CrashReport() : stack_(size_t{1} << 16) {
    stack_t own{};
    own.ss_sp = stack_.data();
    own.ss_size = stack_.size();
    ::sigaltstack(&own, &old_stack_);
    struct sigaction action {};
    action.sa_handler = report_crash;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    for (size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &action, &old_[i]);
  }
  ~CrashReport() {
    for (size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &old_[i], nullptr);
    ::sigaltstack(&old_stack_, nullptr);
  }
  CrashReport(const CrashReport&) = delete;
  CrashReport& operator=(const CrashReport&) = delete;

 private:
  static constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
  std::vector<char> stack_;
  stack_t old_stack_{};
  std::array<struct sigaction, kSignals.size()> old_{};
};

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Returns whether a message is about a file as a whole, such as "FILE: is UTF-16; ...": this kind
/// of file has no lines.
bool names_a_kind(const std::string& message) {
  const size_t end = std::min(message.find(": is "), message.find(": holds only zero bytes"));
  return end != std::string::npos && std::filesystem::is_regular_file(message.substr(0, end));
}

/// Returns "" if `message` begins with "FILE:LINE:COLUMN: error: ", if each such place in it is a line of its file, and
/// if it names the kind of file. The file may be another one, such as a preset, that the first one includes.
std::string fault_of_lines(const std::string& message) {
  bool is_first = true;
  std::istringstream lines(message);
  for (std::string line; std::getline(lines, line); is_first = false) {
    const size_t end = line.find(": error: ");
    const size_t column = end == std::string::npos ? end : line.rfind(':', end - 1);
    const size_t number = column == std::string::npos ? column : line.rfind(':', column - 1);
    const std::filesystem::path file = line.substr(0, std::min(number, line.size()));
    if (number == std::string::npos || !std::filesystem::is_regular_file(file)) {
      if (is_first) return names_a_kind(line) ? "" : "the message names no line";
      continue;
    }
    const std::string text = read_text(file);
    const auto most = static_cast<size_t>(std::ranges::count(text, '\n')) + 1;
    const size_t named = std::strtoull(line.c_str() + number + 1, nullptr, 10);
    if (named < 1 || named > most)
      return fmt::format("the message names line {} of a file with {} lines", named, most);
  }
  return "";
}

std::string fault_of_message(const std::string& message, const std::filesystem::path& file,
                             ErrorPlace place) {
  std::string fault;
  if (message.empty()) {
    fault = "an empty message";
  } else if (place == ErrorPlace::line) {
    fault = fault_of_lines(message);
  } else if (message.find(file.string()) == std::string::npos) {
    fault = "the message does not name the file";
  }
  return fault.empty() ? "" : fault + ": " + message;
}

/// Returns readable text for a text of any bytes.
std::string shown(const std::string& text) {
  std::string all;
  for (const char c : text.substr(0, kShownBytes)) {
    const bool is_plain = c == '\n' || (c >= ' ' && c <= '~');
    all += is_plain ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  if (text.size() > kShownBytes) all += fmt::format("... ({} bytes)", text.size());
  return all;
}

}  // namespace

std::vector<std::string> yaml_texts_below(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<std::string> texts;
  for (const std::filesystem::path& file : files) texts.push_back(read_text(file));
  return texts;
}

std::string mutated_text(std::string text, const std::vector<std::string>& others,
                         RandomChoices& choices) {
  for (size_t left = 1 + choices.below(4); left > 0; --left)
    text = mutated_once(std::move(text), others, choices);
  return text;
}

std::string mutated_bytes(std::string bytes, RandomChoices& choices) {
  for (size_t left = 1 + choices.below(3); left > 0 && !bytes.empty(); --left) {
    // Headers are at the beginning of a file and a small part of it, so half of the places are there.
    const size_t end = choices.below(2) == 0 ? std::min<size_t>(bytes.size(), 64) : bytes.size();
    const size_t at = choices.below(end);
    switch (choices.below(8)) {
      case 0:
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << choices.below(8)));
        break;
      case 2:
        bytes.resize(at);
        break;
      case 3:
        bytes.erase(at, 1 + choices.below(16));
        break;
      case 4:
        bytes.insert(at, nasty_token(choices));
        break;
      case 5:
        bytes.insert(at, bytes.substr(choices.below(bytes.size()), choices.below(64)));
        break;
      case 6: {
        // The bytes begin with a length of eight bytes, like safetensors.
        static constexpr std::array<uint64_t, 7> kLengths = {
            0, 1, 7, 0x7fffffffffffffff, 0xffffffffffffffff, 0xfffffffffffffff8, 1'000'000'000};
        const uint64_t length =
            choices.below(2) == 0 ? choices.one_of(kLengths) : choices.below(2 * bytes.size());
        bytes.replace(0, sizeof length, reinterpret_cast<const char*>(&length), sizeof length);
        break;
      }
      default:
        bytes.replace(at, 1 + choices.below(8), nasty_token(choices));
    }
  }
  return bytes;
}

std::string fault_of_reading(const std::filesystem::path& file, ErrorPlace place,
                             const std::function<void()>& read) {
  const double began_s = processor_seconds();
  std::string fault;
  try {
    read();
  } catch (const ConfigError& error) {
    fault = fault_of_message(error.what(), file, place);
  } catch (const MachineError& error) {
    fault = fault_of_message(error.what(), file, place);
  } catch (const TrialError& error) {
    fault = fault_of_message(error.what(), file, place);
  } catch (const std::exception& error) {
    fault = fmt::format("an exception of another kind: {}", error.what());
  }
  const double seconds = processor_seconds() - began_s;
  if (fault.empty() && seconds > kMostSeconds)
    return fmt::format("took {:.1f} s of processor time", seconds);
  return fault;
}

void try_mutations(size_t times, const std::function<std::string(RandomChoices&)>& mutate,
                   const std::function<std::string(const std::string&)>& fault_of) {
  const uint64_t seed = number_from("RETHINK_SEED", 1),
                 all = number_from("RETHINK_MUTATIONS", times);
  const CrashReport report;
  size_t failures = 0;
  for (uint64_t i = 0; i < all && failures < kMostFailures; ++i) {
    RandomChoices choices(seed * 1'000'003 + i);
    const std::string text = mutate(choices);
    const std::string name = fmt::format("mutation {} of seed {}", i, seed);
    const std::string file = fmt::format("\n--- file\n{}\n---\n", shown(text));
    tried = name + ": crashed" + file;
    const std::string fault = fault_of(text);
    if (fault.empty()) continue;
    ++failures;
    ADD_FAILURE() << name << ": " << shown(fault) << file;
  }
}

}  // namespace rethink
