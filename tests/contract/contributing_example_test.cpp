// The attention variant that CONTRIBUTING.md shows is compiled into this program, so that every contract of attention
// variants holds for it.
#include <gtest/gtest.h>

#include "tests/contract/examples/distance_bias.cpp"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

TEST(ContributingExample, IsTheFileThatIsCompiledHere) {
  const std::filesystem::path source = RETHINK_SOURCE_DIR;
  const std::string guide = read_text(source / "CONTRIBUTING.md");
  const std::string begin = "```cpp\n", end = "```\n";
  const size_t first = guide.find(begin) + begin.size();
  EXPECT_EQ(guide.substr(first, guide.find(end, first) - first),
            read_text(source / "tests/contract/examples/distance_bias.cpp"));
}

}  // namespace
}  // namespace rethink
