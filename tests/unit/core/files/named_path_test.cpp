#include <gtest/gtest.h>

#include "core/files/named_file.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

TEST(NamedPath, OfANameThatIsTooLongThereIsNothing) {
  const TempFolder folder;
  write_text(folder / "here", "");
  EXPECT_TRUE(is_there(folder / "here"));
  EXPECT_TRUE(is_file_there(folder / "here"));
  EXPECT_TRUE(is_there(folder.path()));
  EXPECT_FALSE(is_file_there(folder.path()));
  EXPECT_FALSE(is_there(folder / "gone"));
  for (const size_t length : {300, 5000}) {
    EXPECT_FALSE(is_there(folder / std::string(length, 'x')));
    EXPECT_FALSE(is_file_there(folder / std::string(length, 'x')));
  }
}

}  // namespace
}  // namespace rethink
