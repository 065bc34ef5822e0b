// Checks docs/life_of_a_trial.md, which describes the sources. Each file that it names exists. Each
// item of its lists is `file` `function`, ...; `file` ...: text, and the files have these functions.
// Each file that README.md names exists, too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/registry_files.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

/// Returns whether `text` calls or defines `function`, as it is written.
bool has_function(const std::string& text, const std::string& function) {
  return std::regex_search(text, std::regex("(^|[^A-Za-z0-9_])" + function + "\\("));
}

/// Returns all matches of `expression` in `text`: its first group.
std::vector<std::string> found_in(const std::string& text, const std::regex& expression) {
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it)
    found.push_back((*it)[1]);
  return found;
}

/// Returns the files that `text` names in backquotes and that do not exist.
std::vector<std::string> missing_files(const std::string& text) {
  static const std::regex path("`([A-Za-z0-9_.]+/[A-Za-z0-9_./]+\\.[a-z]+)`");
  std::vector<std::string> missing;
  for (const std::string& file : found_in(text, path)) {
    if (!std::filesystem::exists(kSource / file)) missing.push_back(file);
  }
  return missing;
}

/// Returns the page with each item of a list on one line.
std::string with_whole_items(const std::string& page) {
  return std::regex_replace(page, std::regex("\n +"), " ");
}

/// Returns the number of numbered items below the heading.
size_t num_steps(const std::string& page, const std::string& heading) {
  const size_t begin = page.find("\n## " + heading + "\n");
  if (begin == std::string::npos) return 0;
  const std::string section = page.substr(begin, page.find("\n## ", begin + 1) - begin);
  return found_in(section, std::regex("\n([0-9]+)\\. ")).size();
}

/// Returns the faults of a page by line, and adds the number of its lists' items.
std::vector<std::string> faults_of_page(const std::string& page, size_t& items) {
  static const std::regex item("(?:[0-9]+\\.|[-*]) .*");
  static const std::string of_file = "`[^`]+` `[^`]+`(?:, `[^`]+`)*";
  static const std::regex good("(?:[0-9]+\\.|-) (" + of_file + "(?:; " + of_file + ")*): .+");
  static const std::regex part("(" + of_file + ")");
  static const std::regex quoted("`([^`]+)`");
  std::vector<std::string> faults;
  std::istringstream lines(with_whole_items(page));
  for (std::string line; std::getline(lines, line);) {
    for (const std::string& file : missing_files(line)) faults.push_back("no file " + file);
    if (!std::regex_match(line, item)) continue;
    ++items;
    std::smatch parts;
    if (!std::regex_match(line, parts, good)) {
      faults.push_back("not `file` `function`: " + line);
      continue;
    }
    for (const std::string& one : found_in(parts[1].str(), part)) {
      const std::vector<std::string> names = found_in(one, quoted);
      const std::filesystem::path file = kSource / names.front();
      const std::string text = std::filesystem::is_regular_file(file) ? read_text(file) : "";
      for (size_t i = 1; i < names.size(); ++i) {
        if (!has_function(text, names[i])) faults.push_back(names.front() + " has no " + names[i]);
      }
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

TEST(LifeOfATrial, IsShort) {
  const std::string page = read_text(kSource / "docs/life_of_a_trial.md");
  const auto up_to = [](size_t most) { return testing::AllOf(testing::Gt(0u), testing::Le(most)); };
  EXPECT_THAT(num_steps(page, "From YAML to the row"), up_to(15));
  EXPECT_THAT(num_steps(page, "One optimisation step"), up_to(10));
  EXPECT_THAT(num_steps(page, "One cell"), up_to(10));
}

TEST(Readme, NamesFilesThatAreThere) {
  const std::string placeholder = "models/attention/V.cpp";
  EXPECT_THAT(missing_files(read_text(kSource / "README.md")), testing::ElementsAre(placeholder));
}

TEST(LifeOfATrial, IsHeldToItsForm) {
  size_t items = 0;
  EXPECT_THAT(faults_of_page("see `core/nowhere.cpp`\n"
                             "1. `core/error.h`: no function\n"
                             "2. `core/philox.h` `philox`, `philo`: only the first is there\n"
                             "- `core/gone.h` `philox`: the file is not there\n"
                             "- `core/philox.h` `philox`: it is there\n"
                             "2. `core/philox.h` `philox`;\n"
                             "   `core/error.h` `philox`: only the first has it\n",
                             items),
              testing::ElementsAre("no file core/nowhere.cpp",
                                   "not `file` `function`: 1. `core/error.h`: no function",
                                   "core/philox.h has no philo", "no file core/gone.h",
                                   "core/gone.h has no philox", "core/error.h has no philox"));
  EXPECT_EQ(items, 5u);
}

}  // namespace
}  // namespace rethink
