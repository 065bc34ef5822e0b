// Checks docs/life_of_a_trial.md, which describes the sources. Each file that it names exists. Each
// item of its lists is `file` `function`, ...; `file` ...: text, and the files define these
// functions. So do files with functions in parentheses: `file` (`function`, ...). Each file that
// README.md names exists, too, and defines the functions that README.md finds there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.h"
#include "tests/support/registry_files.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

constexpr const char* kNameLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

/// Returns the position behind the parenthesis that closes the one at `open`.
size_t after_parenthesis(const std::string& text, size_t open) {
  int depth = 0;
  for (size_t at = open; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at + 1;
  }
  return text.size();
}

/// Returns whether `text` defines `name`: its line has only a type and a class before the name, and
/// a body follows the parameters. Calls, declarations and comments are no definitions.
bool defines_as_written(const std::string& text, const std::string& name) {
  static const std::string of_type = std::string(kNameLetters) + ":<>,&* ";
  static const std::regex body(
      R"(\s*((const|noexcept|override|final|-> [A-Za-z0-9_:<>&* ]+)\s*)*\{)");
  for (size_t at = text.find(name + "("); at != std::string::npos;
       at = text.find(name + "(", at + 1)) {
    const size_t line = text.rfind('\n', at) + 1;  // 0 in the first line
    const std::string before = text.substr(line, at - line);
    const bool has_type = before.find_first_of(kNameLetters) != std::string::npos &&
                          before.find_first_not_of(of_type) == std::string::npos;
    const bool is_whole_name = before.find_last_of(kNameLetters) + 1 != before.size();
    const size_t end = after_parenthesis(text, at + name.size());
    constexpr size_t kLongestEnd = 80;  // between parameters and body
    const std::string after = text.substr(end, kLongestEnd);
    if (has_type && is_whole_name &&
        std::regex_search(after, body, std::regex_constants::match_continuous))
      return true;
  }
  return false;
}

/// Returns whether `text` defines `function`: "run", "Trainer::run", also inside of the class.
bool defines(const std::string& text, const std::string& function) {
  if (defines_as_written(text, function)) return true;
  const size_t colons = function.rfind("::");
  return colons != std::string::npos &&
         std::regex_search(text,
                           std::regex("(class|struct) " + function.substr(0, colons) + "\\b")) &&
         defines_as_written(text, function.substr(colons + 2));
}

/// Returns all matches of `expression` in `text`: its first group.
std::vector<std::string> found_in(const std::string& text, const std::regex& expression) {
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it)
    found.push_back((*it)[1]);
  return found;
}

const std::regex kPath("`([A-Za-z0-9_.]+/[A-Za-z0-9_./]+\\.[a-z]+)`");

/// Returns the files that `text` names in backquotes and that do not exist.
std::vector<std::string> missing_files(const std::string& text) {
  std::vector<std::string> missing;
  for (const std::string& file : found_in(text, kPath)) {
    if (!std::filesystem::exists(kSource / file)) missing.push_back(file);
  }
  return missing;
}

/// Returns the page with each item of a list on one line.
std::string with_whole_items(const std::string& page) {
  return std::regex_replace(page, std::regex("\n +"), " ");
}

/// Numbered items below a heading, and the distinct files that they name.
struct Way {
  size_t steps = 0;
  std::set<std::string> files{};
};

Way way_of(const std::string& page, const std::string& heading) {
  const size_t begin = page.find("\n## " + heading + "\n");
  if (begin == std::string::npos) return {};
  Way way;
  std::istringstream lines(
      with_whole_items(page.substr(begin, page.find("\n## ", begin + 1) - begin)));
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_search(line, std::regex("^[0-9]+\\. "))) continue;
    ++way.steps;
    for (const std::string& file : found_in(line, kPath)) way.files.insert(file);
  }
  return way;
}

/// Returns "FILE has no FUNCTION" for each of the functions that the file does not define.
std::vector<std::string> missing_functions(const std::string& file, const std::string& functions) {
  static const std::regex quoted("`([^`]+)`");
  const std::filesystem::path path = kSource / file;
  const std::string text = std::filesystem::is_regular_file(path) ? read_text(path) : "";
  std::vector<std::string> missing;
  for (const std::string& function : found_in(functions, quoted)) {
    if (!defines(text, function)) missing.push_back(file + " has no " + function);
  }
  return missing;
}

/// Returns the same for functions in the prose: "`FILE` (`FUNCTION`, ...)", "`FUNCTION` in `FILE`".
std::vector<std::string> missing_functions_of_prose(const std::string& text) {
  static const std::regex of_file("`([^` ]+/[^` ]+)` \\((`[^`]+`(?:, `[^`]+`)*)\\)");
  static const std::regex in_file("(`[A-Za-z0-9_:]+`) in `([^` ]+/[^` ]+)`");
  std::vector<std::string> missing;
  for (std::sregex_iterator it(text.begin(), text.end(), of_file), end; it != end; ++it)
    std::ranges::move(missing_functions((*it)[1], (*it)[2]), std::back_inserter(missing));
  for (std::sregex_iterator it(text.begin(), text.end(), in_file), end; it != end; ++it)
    std::ranges::move(missing_functions((*it)[2], (*it)[1]), std::back_inserter(missing));
  return missing;
}

/// Returns the faults of a page by line, and adds the number of its lists' items.
std::vector<std::string> faults_of_page(const std::string& page, size_t& items) {
  static const std::regex item("(?:[0-9]+\\.|[-*]) .*");
  static const std::string of_file = "`[^`]+` `[^`]+`(?:, `[^`]+`)*";
  static const std::regex good("(?:[0-9]+\\.|-) (" + of_file + "(?:; " + of_file + ")*): .+");
  static const std::regex part("(" + of_file + ")");
  static const std::regex one_file("`([^`]+)` (.+)");
  std::vector<std::string> faults;
  std::istringstream lines(with_whole_items(page));
  for (std::string line; std::getline(lines, line);) {
    for (const std::string& file : missing_files(line)) faults.push_back("no file " + file);
    std::ranges::move(missing_functions_of_prose(line), std::back_inserter(faults));
    if (!std::regex_match(line, item)) continue;
    ++items;
    std::smatch parts;
    if (!std::regex_match(line, parts, good)) {
      faults.push_back("not `file` `function`: " + line);
      continue;
    }
    for (const std::string& one : found_in(parts[1].str(), part)) {
      std::smatch file;
      std::regex_match(one, file, one_file);
      std::ranges::move(missing_functions(file[1], file[2]), std::back_inserter(faults));
    }
  }
  return faults;
}

TEST(LifeOfATrial, NamesFilesAndFunctionsThatAreThere) {
  size_t items = 0;
  EXPECT_THAT(faults_of_page(read_text(kSource / "docs/life_of_a_trial.md"), items),
              testing::IsEmpty());
  EXPECT_GT(items, 0u);
}

// Ceilings, so that a way through the sources gets no longer unseen.
TEST(LifeOfATrial, IsShort) {
  const std::string page = read_text(kSource / "docs/life_of_a_trial.md");
  const auto expect = [&](const std::string& heading, size_t steps, size_t files) {
    SCOPED_TRACE(heading);
    const Way way = way_of(page, heading);
    EXPECT_GT(way.steps, 0u);
    EXPECT_LE(way.steps, steps);
    EXPECT_GE(way.files.size(), way.steps / 2);
    EXPECT_LE(way.files.size(), files) << joined({way.files.begin(), way.files.end()});
  };
  expect("From YAML to the row", 15, 24);
  expect("One optimisation step", 10, 12);
  expect("One cell", 10, 12);
  expect("One option", 17, 17);
}

TEST(LifeOfATrial, CountsStepsAndTheirFiles) {
  const Way way = way_of(
      "\n## Before\n\n1. `core/error.h` `a`: not of the way\n\n## Way\n\n`core/json.h`: no step\n\n"
      "1. `core/philox.h` `a`: calls\n   `core/text.h`\n2. `core/philox.h` `b`: the same file\n"
      "- `core/files/file.h` `c`: not numbered\n\n## After\n\n1. `core/error.h` `a`: not either\n",
      "Way");
  EXPECT_EQ(way.steps, 2u);
  EXPECT_THAT(way.files, testing::ElementsAre("core/philox.h", "core/text.h"));
}

TEST(LifeOfATrial, KnowsADefinitionFromACall) {
  EXPECT_TRUE(defines("int a(int b) {\n", "a"));
  EXPECT_TRUE(defines("class C {\n  std::map<int, T*> a(int b) const override {\n", "a"));
  EXPECT_TRUE(defines("class C {\n  std::map<int, T*> a(int b) const override {\n", "C::a"));
  EXPECT_TRUE(defines("void C::a(int b,\n          F f = g()) {\n", "C::a"));
  EXPECT_TRUE(defines("void C::a() {\n", "a"));
  EXPECT_FALSE(defines("void C::a() {\n", "D::a"));
  EXPECT_FALSE(defines("void C::ba() {\n", "a"));
  EXPECT_FALSE(defines("int a(int b);\n", "a")) << "a declaration";
  for (const char* call :
       {"  a(b);\n", "  return a(b);\n", "  x = a(b);\n", "  if (a(b)) {\n", "  c.a([&] {\n  });\n",
        "// int a() {\n", "/// Requires: a(b) {\n", "    : a(b) {}\n  {\n"})
    EXPECT_FALSE(defines(call, "a")) << call;
}

TEST(Readme, NamesFilesAndFunctionsThatAreThere) {
  const std::string placeholder = "models/attention/V.cpp";
  const std::string readme = read_text(kSource / "README.md");
  EXPECT_THAT(missing_files(readme), testing::ElementsAre(placeholder));
  EXPECT_THAT(missing_functions_of_prose(readme), testing::IsEmpty());
}

TEST(LifeOfATrial, IsHeldToItsForm) {
  size_t items = 0;
  EXPECT_THAT(faults_of_page("see `core/nowhere.cpp`\n"
                             "1. `core/error.h`: no function\n"
                             "2. `core/philox.h` `philox`, `philo`: only the first is there\n"
                             "- `core/gone.h` `philox`: the file is not there\n"
                             "- `core/philox.h` `philox`: it is there\n"
                             "2. `core/philox.h` `philox`;\n"
                             "   `core/error.h` `philox`: only the first has it\n"
                             "`core/philox.h` (`philox`, `phil`), and `phi` in `core/philox.h`\n",
                             items),
              testing::ElementsAre("no file core/nowhere.cpp",
                                   "not `file` `function`: 1. `core/error.h`: no function",
                                   "core/philox.h has no philo", "no file core/gone.h",
                                   "core/gone.h has no philox", "core/error.h has no philox",
                                   "core/philox.h has no phil", "core/philox.h has no phi"));
  EXPECT_EQ(items, 5u);
}

}  // namespace
}  // namespace rethink
