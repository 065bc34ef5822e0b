// CONTRIBUTING.md names files, test targets and test filters that exist.
#include <fnmatch.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/registry_files.h"

namespace rethink {
namespace {

using Matches = std::sregex_iterator;

/// Whether a file or folder of the tree, or a recipe, has the path; true for paths with a placeholder, such as NAME.
bool is_there(const std::string& path) {
  const std::string room = path.substr(0, path.find('/'));
  const bool is_in_the_tree = room != "build" && std::filesystem::is_directory(kSource / room);
  const bool has_placeholder = std::regex_search(path, std::regex("[A-Z]{4}"));
  return !is_in_the_tree || has_placeholder || std::filesystem::exists(kSource / path) ||
         std::filesystem::exists(kRecipes / path);
}

/// Names such as "Suite.Test" or, where the test has parameters, "Suite.Test/NAME", of the tests below a folder.
std::vector<std::string> tests_below(const std::filesystem::path& folder) {
  static const std::regex test(R"re((?:^|\n)TEST(_F|_P)?\((\w+),\s*(\w+)\))re");
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.path().string().ends_with("_test.cpp")) continue;
    const std::string text = read_text(entry.path());
    for (Matches found(text.begin(), text.end(), test), end; found != end; ++found)
      names.push_back((*found)[2].str() + "." + (*found)[3].str() +
                      ((*found)[1] == "_P" ? "/NAME" : ""));
  }
  return names;
}

/// Returns the folder of a test program: "test_unit_plots" is built from tests/unit/plots.
std::filesystem::path folder_of(std::string target) {
  target.erase(0, std::string("test_").size());
  std::filesystem::path folder = kSource / "tests" / target;
  if (!std::filesystem::exists(folder)) {
    const size_t part = target.find('_');
    folder = kSource / "tests" / target.substr(0, part) / target.substr(part + 1);
  }
  return folder;
}

bool selects_a_test(const std::string& target, std::string filter) {
  filter = std::regex_replace(filter, std::regex("/[a-z]+_NAME"), "/NAME");
  const std::vector<std::string> names = tests_below(folder_of(target));
  std::istringstream patterns(filter);  // with ':' between them
  for (std::string pattern; std::getline(patterns, pattern, ':');) {
    const bool selects = std::ranges::any_of(names, [&](const std::string& name) {
      return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
    });
    if (!selects) return false;
  }
  return true;
}

TEST(Contributing, NamesFilesThatExist) {
  const std::string guide = read_text(kSource / "CONTRIBUTING.md");
  static const std::regex path("`([A-Za-z0-9_.-]+/[A-Za-z0-9_./-]+)`");
  for (Matches found(guide.begin(), guide.end(), path), end; found != end; ++found)
    EXPECT_TRUE(is_there((*found)[1])) << (*found)[1];
}

TEST(Contributing, NamesTargetsAndFiltersThatSelectTests) {
  const std::string guide = read_text(kSource / "CONTRIBUTING.md");
  static const std::regex pair("`(test_[a-z_]+)`, (?:filter )?`([^`]+)`");
  size_t pairs = 0;
  for (Matches found(guide.begin(), guide.end(), pair), end; found != end; ++found, ++pairs)
    EXPECT_TRUE(selects_a_test((*found)[1], (*found)[2])) << (*found)[1] << " " << (*found)[2];
  EXPECT_GE(pairs, 15u);
  EXPECT_FALSE(selects_a_test("test_contract_driver", "*NoSuchContract*/NAME"));
  EXPECT_FALSE(is_there("models/attention/no_such_variant.cpp"));
}

}  // namespace
}  // namespace rethink
