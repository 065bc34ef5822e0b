// Marks in data files that versions before 0.2.0 read in another way. A file with such a mark now has
// another hash, so the trials that learned the mark are stale. All other files keep their hash.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "core/config/problems.h"
#include "core/config/schema.h"
#include "core/files/hash.h"
#include "core/format/text_marks.h"
#include "core/json.h"
#include "datasets/dataset.h"
#include "experiments/plan/expand/input_hashes.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

class OnceRead : public testing::Test {
 protected:
  /// Returns whether `text`, as the content of the file `called` in a trial's data, gets another hash.
  bool is_other(const std::string& dataset, const Json& options, const std::string& file,
                const std::string& called, const std::string& text) const {
    for (const auto& [name, plain] : others_) write_text(folder_ / name, plain);
    write_text(folder_ / file, text);
    const Schema schema = schema_of_this_program("");
    InputHashes hashes_of_files({.data = folder_.path(), .memory = ""}, schema);
    Field data;
    data.name = "data";
    data.type = FieldType::plugin;
    data.registry = data.tag = "dataset";
    OptionsSchema job;
    job.fields = {data};
    Json chosen = datasets().completed(dataset, options);
    chosen["dataset"] = dataset;
    Problems problems;
    MissingInputs missing;
    const auto hashes = hashes_of_files.of_data(
        {{"data", chosen}}, job, [](const auto&) { return Position{}; }, missing, problems);
    problems.throw_if_any();
    const std::string hash = hashes.at(called);
    EXPECT_TRUE(hash == sha256_hex(text) || hash == sha256_hex(text) + kReadPlainly) << hash;
    for (const auto& [other, its_hash] : hashes) {
      EXPECT_TRUE(other == called || its_hash.find(kReadPlainly) == std::string::npos) << other;
    }
    return hash != sha256_hex(text);
  }

  std::map<std::string, std::string> others_;
  const TempFolder folder_;
};

TEST_F(OnceRead, WikitextWasReadRaw) {
  for (const std::string name : {"wikitext_2", "wikitext_103"}) {
    const std::string folder = name == "wikitext_2" ? "wikitext-2" : "wikitext-103";
    for (const char* split : {"train", "valid", "test"})
      others_[folder + "/wiki." + split + ".tokens"] = "plain\n";
    for (const char* split : {"train", "valid", "test"}) {
      SCOPED_TRACE(name + " " + split);
      const std::string file = folder + "/wiki." + split + ".tokens";
      const auto is = [&](const std::string& text) {
        return is_other(name, Json::object(), file, file, text);
      };
      EXPECT_FALSE(is(" one caf\u00E9 \n two \n"));
      EXPECT_TRUE(is("\xEF\xBB\xBF one \n"));
      EXPECT_TRUE(is(" one \r\n"));
      EXPECT_TRUE(is(" one \r two \n"));
      EXPECT_TRUE(is(" caf\xE9 \n"));
    }
  }
}

TEST_F(OnceRead, PretrainTextTookOldMarksForText) {
  const auto is = [&](const std::string& text) {
    return is_other("pretrain_text", {{"paths", {"own.txt"}}}, "own.txt", "data.paths[0]", text);
  };
  EXPECT_FALSE(is("*** START OF THIS PROJECT GUTENBERG EBOOK X ***\nText.\n"));
  EXPECT_TRUE(is("*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*\nText.\n"));
}

TEST_F(OnceRead, TextLearnedLoneReturns) {
  const auto is = [&](const std::string& text) {
    return is_other("text", {{"path", "own.txt"}}, "own.txt", "data.path", text);
  };
  EXPECT_FALSE(is("one\ntwo\n"));
  EXPECT_FALSE(is("\xEF\xBB\xBFone\r\ntwo\r\n"));
  EXPECT_TRUE(is("one\rtwo\n"));
  EXPECT_TRUE(is("one\rtwo\r"));
}

TEST_F(OnceRead, PretrainTextLearnedLoneReturns) {
  others_ = {{"a.txt", "plain\n"}};
  const auto is = [&](const std::string& text) {
    return is_other("pretrain_text", {{"paths", {"a.txt", "b.txt"}}}, "b.txt", "data.paths[1]",
                    text);
  };
  EXPECT_FALSE(is("One. Two.\n"));
  EXPECT_FALSE(is("\xEF\xBB\xBFOne.\r\n"));
  EXPECT_TRUE(is("One.\rTwo.\n"));
}

TEST_F(OnceRead, ConllCutWordsAtEachBlank) {
  others_ = {{"train", "in\tO\n"}, {"dev", "in\tO\n"}, {"test", "in\tO\n"}};
  for (const std::string split : {"train", "dev", "test"}) {
    const auto is = [&](const std::string& text) {
      return is_other("conll", {{"train", "train"}, {"dev", "dev"}, {"test", "test"}}, split,
                      "data." + split, text);
    };
    EXPECT_FALSE(is("-DOCSTART- -X- O O\n\nEU NNP I-NP B-ORG\n"));
    EXPECT_FALSE(is("in\tO\nYork\tB-LOC\n"));
    EXPECT_FALSE(is("\xEF\xBB\xBFin\tO\r\nYork\tB-LOC\r\n"));
    EXPECT_TRUE(is("in\tO\nNew York\tB-LOC\n"));
    EXPECT_TRUE(is("in O\rYork B-LOC\r"));
  }
}

TEST_F(OnceRead, ParallelTookReturnsForBlanks) {
  others_ = {{"a", "one\n"}, {"b", "eins\n"}};
  const Json options = {
      {"train_source", "t"}, {"train_target", "b"}, {"dev_source", "a"}, {"dev_target", "b"}};
  const auto is = [&](const std::string& text) {
    return is_other("parallel", options, "t", "data.train_source", text);
  };
  EXPECT_FALSE(is("one\ntwo\n"));
  EXPECT_FALSE(is("one\r\ntwo\r\n"));
  EXPECT_FALSE(is("one\rtwo\n"));
  EXPECT_TRUE(is("one\rtwo\r"));
}

}  // namespace
}  // namespace rethink
