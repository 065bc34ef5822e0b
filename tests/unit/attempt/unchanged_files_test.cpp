#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/files/hash.h"
#include "experiments/attempt/inputs.h"
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

TEST_F(UnchangedFiles, MeansImportedWeightsAndTheFilesBesideThem) {
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

class HashOfWeights : public testing::Test {
 protected:
  HashOfWeights() { write_text(folder_ / "model.safetensors", "weights"); }
  std::string now() const {
    return *sha256_of_weights(folder_.path(), [](const auto& file) { return sha256_file(file); });
  }
  /// Returns the hash of rethink 0.1.0 for the files `names`.
  std::string of_0_1_0(const std::vector<std::string>& names) const {
    std::string text;
    for (const std::string& name : names) text += name + " " + sha256_file(folder_ / name) + "\n";
    return sha256_hex(text);
  }

  const TempFolder folder_;
};

TEST_F(HashOfWeights, EqualsOlderVersionsIfTheTokenizerIsReadAlike) {
  const std::vector<std::string> two = {"model.safetensors", "vocab.txt"},
                                 three = {two[0], "tokenizer_config.json", two[1]};
  const std::string normalizer = R"({"normalizer": {"type": "BertNormalizer", "lowercase": )";
  EXPECT_EQ(now(), of_0_1_0({two[0]}));
  write_text(folder_ / "vocab.txt", "[PAD]\nthe\n");
  EXPECT_EQ(now(), of_0_1_0(two));
  write_text(folder_ / "tokenizer.json", normalizer + "true}}");
  EXPECT_EQ(now(), of_0_1_0(two));
  write_text(folder_ / "tokenizer.json", "not JSON");  // a job refuses it
  EXPECT_EQ(now(), of_0_1_0(two));
  write_text(folder_ / "tokenizer.json", normalizer + "false}}");
  write_text(folder_ / "vocab.txt", "[PAD]\nThe\n");
  for (const std::string said : {"true", "false"}) {
    write_text(folder_ / "tokenizer_config.json", R"({"do_lower_case": )" + said + "}");
    EXPECT_EQ(now(), of_0_1_0(three)) << said;
  }
  write_text(folder_ / "tokenizer_config.json", "not JSON");
  EXPECT_EQ(now(), of_0_1_0(three));
}

TEST_F(HashOfWeights, DiffersFromOlderVersionsIfCaseIsKept) {
  write_text(folder_ / "vocab.txt", "[PAD]\nThe\n");
  const std::string by_capitals = now(), before = of_0_1_0({"model.safetensors", "vocab.txt"});
  EXPECT_NE(by_capitals, before);
  const std::string normalizer = R"({"normalizer": {"type": "BertNormalizer", "lowercase": )";
  write_text(folder_ / "tokenizer.json", normalizer + "true}}");
  EXPECT_EQ(now(), before);
  write_text(folder_ / "tokenizer.json", normalizer + "false}}");
  EXPECT_EQ(now(), by_capitals);
  write_text(folder_ / "vocab.txt", "[PAD]\nthe\n");
  EXPECT_NE(now(), of_0_1_0({"model.safetensors", "vocab.txt"}));
}

TEST_F(HashOfWeights, IncludesTokenizerJsonIfItIsTheVocabulary) {
  std::set<std::string> hashes = {now()};
  for (const std::string vocabulary : {R"({"a": 0})", R"({"b": 0})"}) {
    write_text(folder_ / "tokenizer.json", R"({"model": {"vocab": )" + vocabulary + "}}");
    EXPECT_TRUE(hashes.insert(now()).second);
  }
}

}  // namespace
}  // namespace rethink
