#include "core/system/loaded_libraries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Pair;

TEST(LoadedLibraries, HaveTheirBuildIds) {
  EXPECT_THAT(loaded_libraries({"libm.so", "libnone"}),
              ElementsAre(Pair("libm.so.6", MatchesRegex("[0-9a-f]{40}"))));
  EXPECT_THAT(loaded_libraries({}), IsEmpty());
}

TEST(LoadedLibraries, CutNotesHaveNoBuildId) {
  std::string notes("\4\0\0\0\2\0\0\0\3\0\0\0GNU\0\xab\xcd\0\0", 20);
  EXPECT_EQ(build_id_in_notes(notes), "abcd");
  for (size_t size = 0; size < 18; ++size)
    EXPECT_EQ(build_id_in_notes(std::string_view(notes).substr(0, size)), "") << size;
}

TEST(OpenedPlugins, HaveTheHashOfTheirFile) {
  const TempFolder folder;
  write_text(folder / "librethink_test.so", "abc");
  note_opened_plugin(folder / "librethink_test.so");
  EXPECT_EQ(opened_plugins().at("librethink_test.so"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_THROW(note_opened_plugin(folder / "gone.so"), MachineError);
}

}  // namespace
}  // namespace rethink
