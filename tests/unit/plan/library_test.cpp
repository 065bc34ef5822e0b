#include "experiments/plan/read/library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

class LibraryTest : public testing::Test {
 protected:
  LibraryTest() {
    for (const char* file : {"shipped/plots/tables/bet/one.yaml", "shipped/plots/tables/two.yml",
                             "own/tables/bet/one.yaml", "own/tables/three.yaml"}) {
      write_text(folder_.path() / file, "table: x\n");
    }
  }
  const TempFolder folder_;
  const std::filesystem::path shipped_ = folder_.path() / "shipped", own_ = folder_.path() / "own";
  const Library tables_{"tables", {own_, shipped_}};
};

TEST_F(LibraryTest, NamesAreThePathsInAllFoldersEachOnce) {
  EXPECT_THAT(tables_.names(), ElementsAre("bet/one", "three", "two"));
  EXPECT_THAT(Library("figures", {own_, shipped_}).names(), ElementsAre());
}

TEST_F(LibraryTest, TheFirstFolderOfTheSearchCounts) {
  EXPECT_EQ(tables_.find("bet/one"), own_ / "tables/bet/one.yaml");
  EXPECT_EQ(Library("tables", {shipped_, own_}).find("bet/one"),
            shipped_ / "plots/tables/bet/one.yaml");
  EXPECT_EQ(tables_.find("two"), shipped_ / "plots/tables/two.yml");
}

TEST_F(LibraryTest, APathIsNotAName) {
  EXPECT_EQ(tables_.find("four"), "");
  EXPECT_EQ(tables_.find(own_ / "tables/three"), "");
  EXPECT_EQ(tables_.find("../tables/three"), "");
  EXPECT_EQ(tables_.file(own_ / "tables/three.yaml"), own_ / "tables/three.yaml");
}

TEST_F(LibraryTest, AFileHasTheNameThatFindsIt) {
  EXPECT_EQ(tables_.name_of(own_ / "tables/bet/one.yaml"), "bet/one");
  EXPECT_EQ(tables_.name_of(shipped_ / "plots/tables/two.yml"), "two");
  EXPECT_EQ(tables_.name_of(shipped_ / "plots/tables/bet/one.yaml"), std::nullopt) << "hidden";
  EXPECT_EQ(tables_.name_of(own_ / "three.yaml"), std::nullopt) << "in no folder of tables";
  write_text(own_ / "tables/three.yml", "table: x\n");
  EXPECT_EQ(tables_.name_of(own_ / "tables/three.yaml"), std::nullopt) << "two have the name";
}

TEST_F(LibraryTest, SaysWhatThereIs) {
  EXPECT_THAT([this] { tables_.file("bet/on"); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("there is no table 'bet/on'; did you mean 'bet/one'?; name a file, or "
                            "one of: bet/one, three, two")));
  EXPECT_THAT([this] { tables_.file(own_.string()); },
              ThrowsMessage<ConfigError>(HasSubstr("own is a folder, expected a table")));
  EXPECT_THAT([] { Library("sweeps", {}).file("x"); }, ThrowsCode("unknown-name"));
}

TEST_F(LibraryTest, ASweepMayLieInAFolderOfTheSearchItself) {
  write_text(own_ / "mine.yaml", "sweep: mine\nstages: {a: {job: noop}}\n");
  write_text(own_ / "table.yaml", "table: t\nsweep: mine\n");
  write_text(own_ / "other.yml", "stages: [build, test]\n");
  write_text(own_ / "broken.yaml", "sweep: [\n");
  write_text(own_ / "folder/deep.yaml", "sweep: deep\nstages: {a: {job: noop}}\n");
  const Library sweeps("sweeps", {own_, shipped_});
  EXPECT_THAT(sweeps.names(), ElementsAre("mine"));
  EXPECT_EQ(sweeps.find("mine"), own_ / "mine.yaml");
  for (const char* name : {"table", "other", "broken", "folder/deep"})
    EXPECT_EQ(sweeps.find(name), "") << name;
  EXPECT_EQ(tables_.find("table"), "");
  write_text(own_ / "sweeps/mine.yaml", "");
  EXPECT_EQ(sweeps.find("mine"), own_ / "sweeps/mine.yaml") << "folders of sweeps come first";
}

TEST_F(LibraryTest, RefusesTwoFilesOfOneName) {
  write_text(own_ / "tables/three.yml", "table: y\n");
  EXPECT_THAT([this] { tables_.find("three"); }, ThrowsCode("duplicate-name"));
}

}  // namespace
}  // namespace rethink
