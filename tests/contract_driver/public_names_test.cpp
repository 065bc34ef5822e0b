// Types of two headers that one program links must not share a name: the linker would keep one of two equal
// template instances, such as std::vector<Answer>, for both.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

namespace fs = std::filesystem;

/// Types that the header defines at the left margin, which is within `namespace rethink`. A
/// specialization, `struct FieldTraits<bool>`, is no new name.
std::set<std::string> types_of(const fs::path& header) {
  static const std::regex definition(
      R"re(^(struct|class|enum class|enum) (\[\[\w+\]\] )?(\w+)(?!\w*(?:::|<))[^;(]*\{)re");
  std::set<std::string> types;
  std::istringstream lines(read_text(header));
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (std::regex_search(line, found, definition)) types.insert(found[3]);
  }
  return types;
}

class PublicNames : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(PublicNames, AreEachOfOneHeader) {
  std::map<std::string, fs::path> headers;
  for (const std::string& room : GetParam()) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(RETHINK_SOURCE_DIR) / room)) {
      if (entry.path().extension() != ".h") continue;
      for (const std::string& type : types_of(entry.path())) {
        const auto [known, is_new] = headers.emplace(type, entry.path());
        EXPECT_TRUE(is_new) << type << " in " << known->second << " and in " << entry.path();
      }
    }
  }
  EXPECT_GT(headers.size(), 100u);
}

INSTANTIATE_TEST_SUITE_P(Driver, PublicNames,
                         testing::Values(std::vector<std::string>{
                             "core", "datasets", "models/masks", "models/permutations", "results",
                             "experiments/attempt", "experiments/plan", "experiments/run", "plots",
                             "app/driver"}));
INSTANTIATE_TEST_SUITE_P(Worker, PublicNames,
                         testing::Values(std::vector<std::string>{
                             "core", "datasets", "models", "experiments/attempt",
                             "experiments/train", "app/worker"}));

}  // namespace
}  // namespace rethink
