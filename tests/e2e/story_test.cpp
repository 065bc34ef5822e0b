// Runs every tests/e2e/*.story against the real driver and the worker without LibTorch, and where
// LibTorch is built tests/e2e/lm/*.story against the real worker too, each in an empty folder of
// its own.
//
//   # a comment
//   === sweep.yaml            the lines up to the next === become a file
//   ...
//   ===
//   $ command                 run by sh; standard error goes where standard output goes;
//                             $FIXTURES is tests/fixtures, $RECIPES has the files of
//                             CONTRIBUTING.md and programs with them, `ulimit -t $CPU_SECONDS` ends what
//                             takes more than 8 s of processor time; what takes more than
//                             kCommandSeconds is killed and fails with the code 124
//   expected line             exactly, but: <t> a duration, <id> a trial's id or its beginning,
//                             <n> a number, <any> anything
//   ...                       any lines, maybe none
//   [exit 2]                  the exit code; 0 where it is not said
//
// Those of the worker without LibTorch are told again under each of kConditions but those that
// they rule out, "# not under ONE_CORE, BARE: why". "# only with FILE: why" leaves a story out where
// the build has no such file.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

/// Where and how a story happens; a new line here tells them all once more.
struct Condition {
  std::string name;
  std::string folder;   // that holds its files
  std::string prelude;  // run by the shell before each command
};

const std::vector<Condition> kConditions = {
    {"", "work", ""},
    // Blanks and letters beyond ASCII in every path, and the store behind a symbolic link.
    {"ODD_PLACE", "d\u00e9j\u00e0 vu's work",
     "mkdir -p '../the store'; [ -L store ] || ln -s '../the store' store; "},
    {"ONE_CORE", "work",
     "taskset -pc $(taskset -pc $$ | sed 's/.*: //; s/[,-].*//') $$ >/dev/null; "},
    // As a service or a batch system starts it.
    {"BARE", "work", "unset HOME XDG_CACHE_HOME XDG_STATE_HOME USER LANG; umask 077; exec <&-; "},
};

struct Command {
  int line = 0;
  std::string text;
  std::string file;  // to be written with `text`; empty = `text` is to be run
  std::vector<std::string> expected;
  int exit_code = 0;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::stringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<Command> commands_of(const std::filesystem::path& story) {
  std::vector<Command> commands;
  int number = 0;
  bool in_file = false;
  for (const std::string& line : lines_of(read_text(story))) {
    ++number;
    std::smatch code;
    if (line.starts_with("===")) {
      in_file = line.size() > 4;
      if (in_file) commands.push_back({number, "", line.substr(4), {}, 0});
    } else if (in_file) {
      commands.back().text += line + "\n";
    } else if (line.starts_with("$ ")) {
      commands.push_back({number, line.substr(2), "", {}, 0});
    } else if (line.starts_with("#") || commands.empty()) {
      continue;
    } else if (std::regex_match(line, code, std::regex(R"(\[exit (\d+)\])"))) {
      commands.back().exit_code = std::stoi(code[1]);
    } else {
      commands.back().expected.push_back(line);
    }
  }
  // Blank lines between commands are there for readers.
  for (Command& command : commands) {
    while (!command.expected.empty() && command.expected.back().empty())
      command.expected.pop_back();
  }
  return commands;
}

std::regex pattern_of(const std::string& expected) {
  std::string pattern =
      std::regex_replace(expected, std::regex(R"([.^$|()\[\]{}*+?\\])"), R"(\$&)");
  pattern = std::regex_replace(pattern, std::regex("<t>"),
                               R"([0-9.:]+ ?(ms|s|min|h|d)?( ?[0-9]+ ?(s|min|h))?)");
  pattern = std::regex_replace(pattern, std::regex("<id>"), "[0-9a-f]{6,20}");
  pattern = std::regex_replace(pattern, std::regex("<n>"), "[-+0-9.,e]+");
  pattern = std::regex_replace(pattern, std::regex("<any>"), ".*");
  return std::regex(pattern);
}

bool lines_match(const std::vector<std::string>& expected, size_t e,
                 const std::vector<std::string>& got, size_t g) {
  if (e == expected.size()) return g == got.size();
  if (expected[e] == "...") {
    for (size_t next = g; next <= got.size(); ++next) {
      if (lines_match(expected, e + 1, got, next)) return true;
    }
    return false;
  }
  return g < got.size() && std::regex_match(got[g], pattern_of(expected[e])) &&
         lines_match(expected, e + 1, got, g + 1);
}

struct Output {
  std::string text;
  int exit_code = -1;
};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
#define RETHINK_CPU_SECONDS "60"
#else
#define RETHINK_CPU_SECONDS "8"  // 2 on a fast and idle machine
#endif

/// Far more than any command takes, and less than the test's own limit, which would not say where
/// a story hangs.
constexpr int kCommandSeconds = 300;

Output run_in(const std::filesystem::path& folder, const Condition& condition,
              const std::string& command, bool real_worker) {
  const std::string home = (folder / "home").string();
  const std::string programs =
      real_worker ? "" : "export RETHINK_PROGRAMS='" RETHINK_BINARY_DIR "/noop' && ";
  write_text(folder / "command.sh",
             "cd \"" + (folder / condition.folder).string() + "\" && export HOME='" + home +
                 "' XDG_CACHE_HOME='" + home + "/cache' XDG_STATE_HOME='" + home +
                 "/state' PATH='" RETHINK_BINARY_DIR "/bin':\"$PATH\" FIXTURES='" RETHINK_SOURCE_DIR
                 "/tests/fixtures' RECIPES='" RETHINK_BINARY_DIR
                 "/recipes' CPU_SECONDS=" RETHINK_CPU_SECONDS " && unset RETHINK_DATA && " +
                 programs + "{ " + condition.prelude + command + "\n} 2>&1 </dev/null");
  // In a group of its own, so that what it left in the background is killed with it.
  const std::string line = "timeout --kill-after=10 " + std::to_string(kCommandSeconds) + " sh '" +
                           (folder / "command.sh").string() + "'";
  FILE* pipe = popen(line.c_str(), "r");
  Output output;
  std::array<char, 4096> buffer;
  while (const size_t size = fread(buffer.data(), 1, buffer.size(), pipe))
    output.text.append(buffer.data(), size);
  const int status = pclose(pipe);
  output.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return output;
}

bool needs_real_worker(const std::filesystem::path& story) {
  return story.parent_path().filename() == "lm";
}

struct Telling {
  std::filesystem::path story;
  Condition condition;
};

void PrintTo(const Telling& telling, std::ostream* out) {
  *out << telling.story.string() << " " << telling.condition.name;
}

class Story : public testing::TestWithParam<Telling> {};

TEST_P(Story, HappensAsTold) {
  const auto& [story, condition] = GetParam();
  TempFolder folder;
  std::filesystem::create_directories(folder / condition.folder);
  std::filesystem::create_directories(folder / "home");
  const std::vector<Command> commands = commands_of(story);
  ASSERT_FALSE(commands.empty()) << story << " has no command";
  for (const Command& command : commands) {
    if (!command.file.empty()) {
      write_text(folder / condition.folder / command.file, command.text);
      continue;
    }
    const Output output = run_in(folder.path(), condition, command.text, needs_real_worker(story));
    const std::string where =
        story.string() + ":" + std::to_string(command.line) + ": " + command.text;
    ASSERT_EQ(output.exit_code, command.exit_code) << where << "\n" << output.text;
    ASSERT_TRUE(lines_match(command.expected, 0, lines_of(output.text), 0)) << where << "\ngot:\n"
                                                                            << output.text;
  }
}

/// Whether the build has the file that the story needs, if it needs one.
bool can_be_told(const std::filesystem::path& story) {
  const std::string text = read_text(story);
  std::smatch found;
  if (!std::regex_search(text, found, std::regex("# only with ([^:\n]*):"))) return true;
  return std::filesystem::exists(std::filesystem::path(RETHINK_BINARY_DIR) / found[1].str());
}

std::vector<std::filesystem::path> stories() {
  std::vector<std::filesystem::path> files;
  const bool has_real_worker = std::filesystem::exists(RETHINK_BINARY_DIR "/bin/rethink-worker");
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(RETHINK_SOURCE_DIR "/tests/e2e")) {
    if (entry.path().extension() != ".story" || !can_be_told(entry.path())) continue;
    if (has_real_worker || !needs_real_worker(entry.path())) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<Telling> tellings() {
  std::vector<Telling> all;
  for (const std::filesystem::path& story : stories()) {
    const std::string text = read_text(story);
    for (const Condition& condition : kConditions) {
      const bool is_plain = condition.name.empty();
      if (!is_plain && needs_real_worker(story)) continue;
      const std::regex ruled_out("# not under [^:\n]*" + condition.name);
      if (!is_plain && std::regex_search(text, ruled_out)) continue;
      all.push_back({story, condition});
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(, Story, testing::ValuesIn(tellings()), [](const auto& given) {
  const std::string& condition = given.param.condition.name;
  return given.param.story.stem().string() + (condition.empty() ? "" : "_" + condition);
});

}  // namespace
}  // namespace rethink
