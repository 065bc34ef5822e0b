#include "core/store_files/result_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::HasSubstr;

const std::string kId = "0123456789abcdef0123";

Json artifact(const std::string& name, const std::string& file = "artifacts/w") {
  return {{"name", name}, {"kind", "weights"},
          {"file", file}, {"sha256", std::string(64, 'a')},
          {"bytes", 3},   {"facts", Json::object()}};
}

Json result() {
  return {{"trial", kId},
          {"seed", 0},
          {"outcome", "done"},
          {"attempt", 1},
          {"events", 9},
          {"metrics", {{"dev/score", 0.5}, {"dev/loss", "nan"}}},
          {"artifacts", {artifact("weights")}}};
}

class ResultFile : public testing::Test {
 protected:
  std::string damage(const Json& json) const { return damage_of_text(json.dump()); }
  std::string damage_of_text(const std::string& text) const {
    write_text(file_, text);
    return stored_result(file_)->damage;
  }

  TempFolder folder_;
  std::filesystem::path file_ = folder_ / kId / "result.json";
};

TEST_F(ResultFile, IsReadWithAndWithoutAChecksum) {
  EXPECT_FALSE(stored_result(file_));
  EXPECT_EQ(damage(result()), "");
  EXPECT_FALSE(stored_result(file_)->has_checksum);
  EXPECT_EQ(damage_of_text(stored_text(result())), "");
  EXPECT_EQ(sound_result(file_), result());
}

TEST_F(ResultFile, AChangedDigitIsDamage) {
  std::string text = stored_text(result());
  text.replace(text.find("0.5"), 3, "0.6");
  EXPECT_THAT(damage_of_text(text), HasSubstr("its checksum does not fit"));
  EXPECT_FALSE(sound_result(file_));
}

TEST_F(ResultFile, EveryWordIsLookedAt) {
  const auto with = [](const char* member, const Json& value) {
    Json changed = result();
    changed[Json::json_pointer(member)] = value;
    return changed;
  };
  EXPECT_THAT(damage(with("/outcome", "doen")), HasSubstr("outcome: got \"doen\""));
  EXPECT_THAT(damage(with("/trial", std::string(20, 'b'))), HasSubstr("expected the trial of its"));
  EXPECT_THAT(damage(with("/metrics/x", "high")), HasSubstr("metrics.x"));
  EXPECT_THAT(damage(with("/artifacts/0/sha256", "aa")), HasSubstr("artifacts.0.sha256"));
  EXPECT_THAT(damage(with("/artifacts/0/kind", 7)), HasSubstr("artifacts.0.kind"));
  EXPECT_THAT(damage(with("/artifacts/0/nmae", "w")), HasSubstr("nmae: is not known here"));
  EXPECT_THAT(damage(with("/cheksum", "0a1b2c3d")), HasSubstr("cheksum: is not known here"));
  EXPECT_THAT(damage(with("/selected", {{"group", 0}})), HasSubstr("selected.labels: is missing"));
}

TEST_F(ResultFile, HasANameOncePerSeed) {
  Json twice = result();
  twice["artifacts"].push_back(artifact("weights"));
  EXPECT_THAT(damage(twice), HasSubstr("each name once for a seed"));
  twice["artifacts"][1]["seed"] = 1;
  EXPECT_EQ(damage(twice), "");
}

TEST_F(ResultFile, NamesNoFileOutsideTheStore) {
  for (const std::string& file :
       {std::string("/etc/passwd"), std::string("artifacts/../../x"), std::string("artifacts"),
        std::string("../../x"), "../" + kId + "/lock", "../" + kId + "/artifacts/../lock",
        std::string("../x/artifacts/w"), std::string("")}) {
    Json changed = result();
    changed["artifacts"][0]["file"] = file;
    EXPECT_THAT(damage(changed), HasSubstr("artifacts.0.file")) << file;
  }
  for (const std::string& file : {std::string("artifacts/a/b"), "../" + kId + "/artifacts/w"}) {
    Json changed = result();
    changed["artifacts"][0]["file"] = file;
    EXPECT_EQ(damage(changed), "") << file;
  }
}

}  // namespace
}  // namespace rethink
