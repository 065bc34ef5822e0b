#include <gtest/gtest.h>

#include "core/json.h"
#include "core/store_files/stored_json.h"

namespace rethink {
namespace {

const Json kObject{{"id", "a"}, {"config", {{"lr", 1e-5}, {"steps", 60}}}, {"seed", 0}};

TEST(Checksum, HoldsAfterTheObjectWasWrittenAndRead) {
  const Json sealed = with_checksum(kObject);
  EXPECT_TRUE(checksum_holds(sealed));
  EXPECT_TRUE(checksum_holds(Json::parse(sealed.dump(2))));
  EXPECT_EQ(with_checksum(sealed), sealed);
}

TEST(Checksum, DoesNotHoldWhenAMemberWasChangedAddedOrRemoved) {
  for (const char* change :
       {R"({"config": {"steps": 61}})", R"({"seed": 1})", R"({"seed": null})", R"({"other": 1})",
        R"({"checksum": "00000000"})", R"({"checksum": 7})", R"({"checksum": []})"}) {
    Json changed = with_checksum(kObject);
    changed.merge_patch(Json::parse(change));
    EXPECT_FALSE(checksum_holds(changed)) << change;
  }
}

TEST(Checksum, IsNotAskedOfAnObjectWithoutOne) {
  EXPECT_TRUE(checksum_holds(kObject));
}

}  // namespace
}  // namespace rethink
