// Contract of every data set of running text. A file below the folder of data sets, or one that an option names, is
// made up here. A data set from a package (facts: "package") must be installed, or else opening it must report this
// package.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/config/schema.h"
#include "core/error.h"
#include "core/json.h"
#include "datasets/batching.h"
#include "datasets/dataset.h"
#include "datasets/files/data_files.h"
#include "datasets/files/token_cache.h"
#include "datasets/text/syntax_hints.h"
#include "datasets/vocabulary.h"
#include "tests/support/registry_files.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

std::string made_up_lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += fmt::format("line {} of the <unk> file , made up .\n", i);
  return text;
}

/// Returns trees for the same lines, in which each word depends on the word before it. A missing line has no tree.
std::string made_up_trees(const std::string& lines) {
  std::string text;
  int word = 0;
  for (size_t at = 0; at < lines.size();) {
    const size_t end = lines.find_first_of(" \n", at);
    text += fmt::format("{}\t{}\t_\t_\t_\t_\t{}\t_\t_\t_\n", word + 1, lines.substr(at, end - at),
                        word);
    ++word;
    if (lines[end] == '\n') text += "\n", word = 0;
    at = end + 1;
  }
  return text;
}

class DatasetContract : public testing::TestWithParam<std::string> {
 protected:
  DatasetContract() {
    for (const auto& [split, names] : facts_.files) {
      for (const std::string& name : names) {
        if (name.starts_with('/')) {
          installed_ = installed_ && std::filesystem::exists(name);
        } else {
          files_.insert(name);
        }
      }
    }
    for (const std::string& option : facts_.file_options) {
      if (option == "hints") {
        has_hints_ = true;
        write_text(folder_ / "data/made_up.conllu", made_up_trees(made_up_lines(300)));
        continue;
      }
      options_[option] = "made_up.txt";
      files_.insert("made_up.txt");
    }
    write_files(made_up_lines(300));
  }

  void write_files(const std::string& text) const {
    for (const std::string& file : files_) {
      const bool is_trees = file.ends_with(".conllu");
      write_text(folder_ / "data" / file, is_trees ? made_up_trees(text) : text);
    }
  }

  std::shared_ptr<TokenDataset> open(const std::string& cache = "cache") const {
    return require_kind<TokenDataset>(
        datasets().make(GetParam(), options_, {folder_ / "data", folder_ / cache}), GetParam());
  }

  /// Returns null if the data set's package is not installed; opening it then names this package.
  std::shared_ptr<TokenDataset> open_or_ask() const {
    if (installed_) return open();
    EXPECT_THAT([&] { open(); },
                testing::ThrowsMessage<TrialError>(testing::HasSubstr(facts_.package)));
    return nullptr;
  }

  const DatasetFacts& facts_ = datasets().facts(GetParam());
  Json options_ = Json::object();
  std::set<std::string> files_;  // files that it reads below the folder of data sets
  bool installed_ = true;
  bool has_hints_ = false;
  const TempFolder folder_;
};

void expect_ids_of_the_vocabulary(const TokenDataset& dataset) {
  const auto size = static_cast<int32_t>(dataset.vocabulary().size());
  for (const std::string& split : dataset.splits()) {
    const TokenSequences sequences = dataset.sequences(split);
    size_t wrong = 0, short_ones = 0;
    for (size_t i = 0; i < sequences.size(); ++i) {
      short_ones += sequences[i].size() < 2 ? 1 : 0;  // nothing to predict
      for (const int32_t id : sequences[i])
        wrong += id == Vocabulary::kPadding || id < 0 || id >= size ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0u) << split;
    EXPECT_EQ(short_ones, 0u) << split;
  }
}

TEST_P(DatasetContract, HasTheSplitsThatItsFactsName) {
  const auto dataset = open_or_ask();
  if (!dataset) return;
  EXPECT_EQ(dataset->splits(), facts_.splits);
  for (const std::string& split : dataset->splits()) {
    EXPECT_GT(dataset->sequences(split).size(), 0u) << split;
    EXPECT_GE(dataset->whole_size(split), dataset->sequences(split).size()) << split;
  }
  EXPECT_THROW(dataset->sequences("no such split"), TrialError);
  EXPECT_FALSE(facts_.metric.empty());
}

TEST_P(DatasetContract, KnowsTheHashesOfInstalledFiles) {
  if (facts_.package.empty() || !installed_) return;
  for (const FileStatus& file : data_file_status(GetParam(), {}))
    EXPECT_EQ(file.state, FileState::whole) << file.file;
}

TEST_P(DatasetContract, KeepsItsIdsWithinTheVocabulary) {
  if (const auto dataset = open_or_ask()) expect_ids_of_the_vocabulary(*dataset);
}

TEST_P(DatasetContract, IsTheSameWhenItIsMadeAgain) {
  const auto first = open_or_ask();
  if (!first) return;
  for (const char* cache : {"cache", "other_cache"}) {
    const auto second = open(cache);
    EXPECT_EQ(first->vocabulary().to_text(), second->vocabulary().to_text());
    for (const std::string& split : first->splits()) {
      const TokenSequences a = first->sequences(split), b = second->sequences(split);
      ASSERT_EQ(a.size(), b.size()) << split;
      for (size_t i = 0; i < a.size(); ++i)
        ASSERT_TRUE(std::ranges::equal(a[i], b[i])) << split << " " << i;
    }
  }
}

TEST_P(DatasetContract, ComesInTheSameOrderForTheSameSeed) {
  const auto dataset = open_or_ask();
  if (!dataset) return;
  const TokenSequences train = dataset->sequences("train");
  const BatchingOptions options{.batch = 8};
  const auto batches = epoch_batches(train, options, 7, 1);
  EXPECT_EQ(batches, epoch_batches(train, options, 7, 1));
  if (train.size() > 16) {
    EXPECT_NE(batches, epoch_batches(train, options, 8, 1));
  }
  std::vector<bool> seen(train.size());
  for (const auto& batch : batches) {
    for (const uint32_t index : batch) {
      ASSERT_FALSE(seen.at(index)) << index << " twice";
      seen[index] = true;
    }
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), false), 0);
}

TEST_P(DatasetContract, IsPaddedBehindItsTokensOnly) {
  const auto dataset = open_or_ask();
  if (!dataset) return;
  const TokenSequences train = dataset->sequences("train");
  std::map<std::string, std::vector<std::byte>> memory;
  const auto allocate = [&](const std::string& name, size_t bytes) {
    memory[name].resize(bytes);
    return std::span<std::byte>(memory[name]);
  };
  const std::vector<uint32_t> batch = epoch_batches(train, {.batch = 8}, 0, 0).front();
  const Columns columns = language_model_columns(train, batch, Vocabulary::kPadding, allocate);
  const int64_t width = columns.at(0).shape.at(1);
  const auto at = [&](const std::string& name, size_t index) {
    return reinterpret_cast<const int64_t*>(memory.at(name).data())[index];
  };
  for (size_t row = 0; row < batch.size(); ++row) {
    const auto sequence = train[batch[row]];
    for (int64_t t = 0; t < width; ++t) {
      const size_t place = row * static_cast<size_t>(width) + static_cast<size_t>(t);
      const bool inside = static_cast<size_t>(t) + 1 < sequence.size();
      ASSERT_EQ(at("input_ids", place),
                inside ? sequence[static_cast<size_t>(t)] : Vocabulary::kPadding);
      ASSERT_EQ(at("targets", place),
                inside ? sequence[static_cast<size_t>(t) + 1] : kNothingToPredict);
    }
  }
}

/// A hint for every position of every sequence is a position among the tokens that are read by then.
TEST_P(DatasetContract, HasAHintForEveryPosition) {
  if (!has_hints_ || !installed_) return;
  options_["hints"] = Json::array({"made_up.conllu"});
  options_["protocol"] = "stream";
  EXPECT_THROW(open(), ConfigError);
  options_["protocol"] = "lines";
  const auto dataset = open();
  for (const std::string& split : dataset->splits()) {
    const TokenSequences sequences = dataset->sequences(split),
                         hints = dataset->sequences(split + std::string(kHintsEnding));
    ASSERT_EQ(hints.size(), sequences.size());
    for (size_t i = 0; i < hints.size(); ++i) {
      ASSERT_EQ(hints[i].size(), sequences[i].size());
      for (size_t place = 0; place < hints[i].size(); ++place)
        ASSERT_LE(hints[i][place], static_cast<int32_t>(place));
      ASSERT_EQ(hints[i].back(), kNothingToHint);
    }
  }
}

/// Files of no line and of one line are opened, or refused with a message that names them.
TEST_P(DatasetContract, AcceptsOrRefusesNearlyEmptyFiles) {
  for (const int lines : {0, 1}) {
    write_files(made_up_lines(lines));
    if (!installed_) continue;
    try {
      const auto dataset = open();
      expect_ids_of_the_vocabulary(*dataset);
      if (lines == 0 && !files_.empty()) {
        EXPECT_EQ(dataset->sequences("train").size(), 0u);
      }
    } catch (const TrialError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(GetParam())) << lines;
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), testing::AnyOf(testing::HasSubstr(".conllu"),
                                               testing::HasSubstr("is empty; expected text")))
          << lines;
    }
  }
}

std::vector<std::string> text_names() {
  std::vector<std::string> names = datasets().names();
  std::erase_if(names,
                [](const std::string& name) { return datasets().facts(name).kind != "text"; });
  return names;
}

INSTANTIATE_TEST_SUITE_P(, DatasetContract, testing::ValuesIn(text_names()), plugin_test_name);

TEST(DatasetContracts, EveryDataSetIsOfAKindAndNamesItsSplits) {
  const std::set<std::string> kinds = {"text",   "labelled",  "questions",
                                       "tagged", "documents", "translations"};
  for (const std::string& name : datasets().names()) {
    const DatasetFacts& facts = datasets().facts(name);
    EXPECT_TRUE(kinds.contains(facts.kind)) << name;
    EXPECT_FALSE(facts.splits.empty()) << name;
    EXPECT_FALSE(facts.metric.empty()) << name;
    EXPECT_TRUE(facts.files.empty() || !facts.sources.empty() || !facts.package.empty() ||
                !facts.by_hand.empty())
        << name << ": nobody says how to get its files";
  }
}

}  // namespace
}  // namespace rethink
