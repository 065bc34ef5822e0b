#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files/unique_names.h"

namespace rethink {
namespace {

TEST(Uuid, IsOfVersionFour) {
  EXPECT_THAT(new_uuid(), testing::MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-"
                                                "[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
}

TEST(Uuid, DiffersEachTime) {
  EXPECT_NE(new_uuid(), new_uuid());
}

TEST(Uuid, IsDistinguishedFromOtherText) {
  EXPECT_TRUE(is_uuid(new_uuid()));
  EXPECT_FALSE(is_uuid(""));
  EXPECT_FALSE(is_uuid(new_uuid() + "/.."));
  EXPECT_FALSE(is_uuid("../../../../../../../../../../../tmp"));
}

}  // namespace
}  // namespace rethink
