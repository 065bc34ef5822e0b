#include "experiments/attempt/unchanged_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/hash.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class UnchangedFiles : public testing::Test {
 protected:
  UnchangedFiles() {
    for (const char* name : {"own.txt", "given.txt", "second.txt"})
      write_text(folder_ / name, "as planned");
    trial_.config = {{"data", {{"path", "given.txt"}, {"more", {"own.txt", "second.txt"}}}}};
    const std::string planned = sha256_hex("as planned");
    trial_.data = {
        {"own.txt", planned}, {"data.path", planned}, {"data.more[1]", planned}, {"far.txt", "x"}};
    runtime_.data = folder_.path();
  }
  void expect_refused(const std::string& file) const {
    EXPECT_THAT([&] { require_unchanged_files(trial_, runtime_); },
                ThrowsMessage<TrialError>(HasSubstr(
                    file + " has changed since this trial was planned: its SHA-256 is ")));
  }

  const TempFolder folder_;
  Trial trial_;
  Runtime runtime_;
};

TEST_F(UnchangedFiles, AreAskedForNothing) {
  EXPECT_NO_THROW(require_unchanged_files(trial_, runtime_));
}

TEST_F(UnchangedFiles, AreCheckedWhereTheirMarksCountForTheIdentity) {
  trial_.data["own.txt"] += "+plain";
  EXPECT_NO_THROW(require_unchanged_files(trial_, runtime_));
  write_text(folder_ / "own.txt", "another text");
  expect_refused("own.txt");
}

TEST_F(UnchangedFiles, MeansOfADataSetAndOfOptions) {
  for (const std::string name : {"own.txt", "given.txt", "second.txt"}) {
    write_text(folder_ / name, "another text");
    expect_refused(name);
    write_text(folder_ / name, "as planned");
  }
}

TEST_F(UnchangedFiles, MeansImportedWeightsAndWhatStandsBesideThem) {
  const auto hash_of = [](const auto& file) { return sha256_file(file); };
  const std::filesystem::path weights = folder_ / "weights";
  std::filesystem::create_directory(weights);
  EXPECT_EQ(sha256_of_weights(weights, hash_of), std::nullopt);
  write_text(weights / "model.safetensors", "weights");
  write_text(weights / "vocab.txt", "words");
  trial_.imported = {{"init", *sha256_of_weights(weights, hash_of)}};
  trial_.imported_paths = {{"init", weights.string()}};
  write_text(weights / "README", "not read");
  EXPECT_NO_THROW(require_unchanged_files(trial_, runtime_));
  write_text(weights / "vocab.txt", "other words");
  expect_refused("weights");
}

}  // namespace
}  // namespace rethink
