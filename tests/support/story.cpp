#include "tests/support/story.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/support/shell.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

struct Command {
  int line = 0;
  std::string text;
  std::string file;  // a file to write with `text`; empty = `text` is a command
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

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
#define RETHINK_CPU_SECONDS "60"
#else
#define RETHINK_CPU_SECONDS "16"  // 2 on a fast and idle machine, 8 on a slow and busy one
#endif

ShellResult run_in(const std::filesystem::path& folder, const StoryCondition& condition,
                   const std::string& command, bool real_worker) {
  const std::string home = (folder / "home").string();
  const std::string programs =
      real_worker ? "" : "export RETHINK_PROGRAMS='" RETHINK_BINARY_DIR "/noop' && ";
  write_text(folder / "command.sh",
             "cd \"" + (folder / condition.folder).string() + "\" && export HOME='" + home +
                 "' XDG_CACHE_HOME='" + home + "/cache' XDG_STATE_HOME='" + home +
                 "/state' PATH='" RETHINK_BINARY_DIR "/bin':\"$PATH\" FIXTURES='" RETHINK_SOURCE_DIR
                 "/tests/fixtures' RECIPES='" RETHINK_BINARY_DIR
                 "/recipes' CPU_SECONDS=" RETHINK_CPU_SECONDS
                 " && unset RETHINK_DATA XDG_CONFIG_HOME && " +
                 programs + "{ " + condition.prelude + command + "\n} 2>&1 </dev/null");
  // The command runs in a separate process group, so that its background processes are killed with it.
  const std::string line = "timeout --kill-after=10 " + std::to_string(command_seconds()) +
                           " sh '" + (folder / "command.sh").string() + "'";
  return run_shell(line);
}

/// Returns whether the build has the file that the story needs, if it needs one.
bool can_be_told(const std::filesystem::path& story) {
  const std::string text = read_text(story);
  std::smatch found;
  if (!std::regex_search(text, found, std::regex("# only with ([^:\n]*):"))) return true;
  return std::filesystem::exists(std::filesystem::path(RETHINK_BINARY_DIR) / found[1].str());
}

}  // namespace

bool needs_real_worker(const std::filesystem::path& story) {
  return story.parent_path().filename() == "lm";
}

std::vector<std::filesystem::path> stories_below(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  const bool has_real_worker = std::filesystem::exists(RETHINK_BINARY_DIR "/bin/rethink-worker");
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(RETHINK_SOURCE_DIR "/" + folder)) {
    if (entry.path().extension() != ".story" || !can_be_told(entry.path())) continue;
    if (has_real_worker || !needs_real_worker(entry.path())) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// The default is longer than any command takes, and shorter than the test's own limit, which would not
// report the command that hangs.
int command_seconds() {
  const char* const given = std::getenv("RETHINK_STORY_SECONDS");
  return given ? std::stoi(given) : 300;
}

void tell_story(const std::filesystem::path& story, const StoryCondition& condition,
                const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder / condition.folder);
  std::filesystem::create_directories(folder / "home");
  const std::vector<Command> commands = commands_of(story);
  ASSERT_FALSE(commands.empty()) << story << " has no command";
  for (const Command& command : commands) {
    if (!command.file.empty()) {
      write_text(folder / condition.folder / command.file, command.text);
      continue;
    }
    const ShellResult told = run_in(folder, condition, command.text, needs_real_worker(story));
    const std::string where =
        story.string() + ":" + std::to_string(command.line) + ": " + command.text;
    ASSERT_EQ(told.exit_code, command.exit_code) << where << "\n" << told.output;
    ASSERT_TRUE(lines_match(command.expected, 0, lines_of(told.output), 0)) << where << "\ngot:\n"
                                                                            << told.output;
  }
}

}  // namespace rethink
