#include "core/store_files/stored_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rethink {
namespace {

using testing::HasSubstr;

const JsonShape kShape = object_with({{"state", one_of_texts({"failed", "cancelled"})},
                                      {"message", any_text()},
                                      {"seconds", any_number(), false}});
const Json kStored = {{"state", "failed"}, {"message", "fail_at: 3"}, {"seconds", 0.1}};

TEST(StoredJson, IsReadAsItWasWritten) {
  const StoredJson stored = stored_json(stored_text(kStored), kShape);
  EXPECT_TRUE(stored.is_sound()) << stored.damage;
  EXPECT_TRUE(stored.has_checksum);
  EXPECT_EQ(stored.object, kStored);
}

TEST(StoredJson, EveryChangedCharacterIsDamage) {
  const std::string text = stored_text(kStored);
  for (size_t i = 0; i + 1 < text.size(); ++i) {  // the last one is a newline
    for (const char other : {'0', 'x', '"', '}', ' '}) {
      std::string changed = text;
      if (changed[i] == other) continue;
      changed[i] = other;
      EXPECT_FALSE(stored_json(changed, kShape).is_sound()) << changed;
    }
  }
}

TEST(StoredJson, EveryCutIsDamage) {
  const std::string text = stored_text(kStored);
  for (size_t size = 0; size + 1 < text.size(); ++size)
    EXPECT_FALSE(stored_json(text.substr(0, size), kShape).is_sound()) << size;
}

TEST(StoredJson, OfVersion010HasNoChecksumAndNoUnknownMembers) {
  const StoredJson stored = stored_json(kStored.dump(), kShape);
  EXPECT_TRUE(stored.is_sound());
  EXPECT_FALSE(stored.has_checksum);
  Json misspelt = kStored;
  misspelt["checksun"] = "0a1b2c3d";
  EXPECT_THAT(stored_json(misspelt.dump(), kShape).damage, HasSubstr("checksun: is not known"));
  Json other = kStored;
  other["state"] = "done";
  EXPECT_THAT(stored_json(other.dump(), kShape).damage, HasSubstr("state: got \"done\""));
}

TEST(StoredJson, OfANewerVersionMayHaveMoreMembers) {
  Json newer = kStored;
  newer["pilot"] = {{"node", "n7"}};
  EXPECT_TRUE(stored_json(stored_text(newer), kShape).is_sound());
  newer.erase("state");
  EXPECT_EQ(stored_json(stored_text(newer), kShape).damage, "state: is missing");
}

TEST(StoredJson, RefusesNonObjects) {
  for (const char* text : {"", "[]", "7", "null", "{\"state\": \"failed\", \"state\": \"failed\"}"})
    EXPECT_FALSE(stored_json(text, kShape).is_sound()) << text;
}

}  // namespace
}  // namespace rethink
