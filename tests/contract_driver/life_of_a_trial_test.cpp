// Checks docs/life_of_a_trial.md, which describes the sources. Each file that it names exists. Each
// item of its lists is `file` `function`, ...: text, and the file has these functions. Each file
// that README.md names exists, too.
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

/// Returns the faults of a page by line, and adds the number of its lists' items.
std::vector<std::string> faults_of_page(const std::string& page, size_t& items) {
  static const std::regex item("(?:[0-9]+\\.|[-*]) .*");
  static const std::regex good("(?:[0-9]+\\.|-) `([^`]+)` (`[^`]+`(?:, `[^`]+`)*): .+");
  static const std::regex quoted("`([^`]+)`");
  std::vector<std::string> faults;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    for (const std::string& file : missing_files(line)) faults.push_back("no file " + file);
    if (!std::regex_match(line, item)) continue;
    ++items;
    std::smatch parts;
    if (!std::regex_match(line, parts, good)) {
      faults.push_back("not `file` `function`: " + line);
      continue;
    }
    const std::filesystem::path file = kSource / parts[1].str();
    const std::string text = std::filesystem::is_regular_file(file) ? read_text(file) : "";
    for (const std::string& function : found_in(parts[2].str(), quoted)) {
      if (!has_function(text, function)) faults.push_back(parts[1].str() + " has no " + function);
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
                             "- `core/philox.h` `philox`: it is there\n",
                             items),
              testing::ElementsAre("no file core/nowhere.cpp",
                                   "not `file` `function`: 1. `core/error.h`: no function",
                                   "core/philox.h has no philo", "no file core/gone.h",
                                   "core/gone.h has no philox"));
  EXPECT_EQ(items, 4u);
}

}  // namespace
}  // namespace rethink
