// Contract of every labelled data set (datasets/labelled/labelled.h), with made-up files in its own form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/config/schema.h"
#include "core/error.h"
#include "core/json.h"
#include "datasets/files/data_files.h"
#include "datasets/labelled/labelled.h"
#include "datasets/scores/labelled_metrics.h"
#include "tests/support/data_stand_ins.h"
#include "tests/support/registry_files.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::HasSubstr;

class LabelledContract : public testing::TestWithParam<std::string> {
 protected:
  LabelledContract() : rows_(write_stand_ins(facts_, folder_ / "data")) {}

  std::shared_ptr<LabelledDataset> open(const Json& options = Json::object()) const {
    return require_kind<LabelledDataset>(
        datasets().make(GetParam(), options, {folder_ / "data", folder_ / "cache"}), GetParam());
  }
  /// Opens the data set with every part that an option can add.
  std::shared_ptr<LabelledDataset> open_whole() const {
    Json options = {{"holdout", 0.25}};
    for (const auto& [option, splits] : facts_.files_if) options[option] = true;
    return open(options);
  }
  bool is_unlabelled(const std::string& split) const {
    return std::ranges::count(facts_.unlabelled, split) > 0;
  }

  const DatasetFacts& facts_ = datasets().facts(GetParam());
  const TempFolder folder_;
  const std::map<std::string, size_t> rows_;
};

std::vector<std::string> example_texts(const LabelledDataset& dataset, const std::string& split) {
  std::vector<std::string> texts;
  for (const LabelledExample& example : dataset.examples(split)) {
    std::string text = example.index + "|" + (example.label ? shortest(*example.label) : "none");
    for (const LabelledInput& input : example.inputs)
      text += "|" + input.first + "|" + input.second.value_or("");
    texts.push_back(text);
  }
  return texts;
}

TEST_P(LabelledContract, HasTheSplitsThatItsFactsName) {
  std::vector<std::string> usual = facts_.splits;
  EXPECT_EQ(usual.back(), "holdout");
  EXPECT_EQ(open({{"holdout", 0.25}})->splits(), usual);
  usual.pop_back();
  EXPECT_EQ(open()->splits(), usual);
  std::set<std::string> all(usual.begin(), usual.end());
  for (const std::string& split : facts_.unlabelled) all.insert(split);
  const auto whole = open_whole();
  const std::vector<std::string> found = whole->splits();
  all.insert("holdout");
  EXPECT_EQ(std::set<std::string>(found.begin(), found.end()), all);
  EXPECT_THROW(whole->examples("no such split"), TrialError);
  if (facts_.examples.empty()) return;
  all.erase("holdout");
  for (const auto& [split, published] : facts_.examples) {
    EXPECT_TRUE(all.contains(split)) << split;
    EXPECT_GT(published, 0) << split;
  }
  EXPECT_EQ(facts_.examples.size(), all.size());
}

/// Splits of one file share its rows.
TEST_P(LabelledContract, ReadsEveryRowOfItsFilesOnce) {
  const auto dataset = open();
  std::map<std::string, size_t> read, written;
  for (const std::string& split : dataset->splits()) {
    EXPECT_GT(dataset->examples(split).size(), 0u) << split;
    EXPECT_EQ(dataset->whole_size(split), dataset->examples(split).size()) << split;
    if (!rows_.contains(split)) continue;  // made, not read from a file
    const std::string file = facts_.files.at(split).at(0);
    read[file] += dataset->examples(split).size();
    written[file] = rows_.at(split);
  }
  EXPECT_EQ(read, written);
  for (const std::string& split : facts_.unlabelled)
    EXPECT_EQ(open_whole()->examples(split).size(), rows_.at(split)) << split;
}

TEST_P(LabelledContract, HasTextsAndLabelsOfItsTask) {
  const auto dataset = open_whole();
  const LabelledTask& task = dataset->task();
  const bool pairs = dataset->examples("train")[0].inputs[0].second.has_value();
  for (const std::string& split : dataset->splits()) {
    std::set<std::string> indices;
    for (const LabelledExample& example : dataset->examples(split)) {
      ASSERT_EQ(example.inputs.size(), static_cast<size_t>(task.choices));
      for (const LabelledInput& input : example.inputs) {
        EXPECT_FALSE(input.first.empty()) << split << " " << example.index;
        ASSERT_EQ(input.second.has_value(), pairs) << split << " " << example.index;
        EXPECT_FALSE(pairs && input.second->empty()) << split << " " << example.index;
      }
      EXPECT_TRUE(indices.insert(example.index).second) << split << " has " << example.index;
      ASSERT_EQ(example.label.has_value(), !is_unlabelled(split)) << split;
      if (!example.label) continue;
      ASSERT_TRUE(std::isfinite(*example.label));
      if (task.is_score()) continue;
      const auto classes =
          static_cast<double>(task.choices > 1 ? task.choices : task.labels.size());
      EXPECT_TRUE(*example.label >= 0 && *example.label < classes) << *example.label;
      EXPECT_EQ(*example.label, std::floor(*example.label));
    }
  }
}

TEST_P(LabelledContract, LearnsFromEveryClass) {
  const auto dataset = open();
  const LabelledTask& task = dataset->task();
  std::set<double> seen;
  for (const LabelledExample& example : dataset->examples("train")) seen.insert(*example.label);
  const size_t classes = task.choices > 1 ? static_cast<size_t>(task.choices) : task.labels.size();
  if (!task.is_score()) {
    EXPECT_EQ(seen.size(), classes);
  } else {
    EXPECT_GT(seen.size(), 2u);
  }
}

TEST_P(LabelledContract, SaysWhatItsScorerGives) {
  const std::vector<std::string> metrics = facts_.metrics;
  EXPECT_EQ(metrics.front(), facts_.metric);
  EXPECT_EQ(open()->task().metrics, metrics);
  for (const std::string& metric : metrics) EXPECT_EQ(find_labelled_metric(metric).name, metric);
  const LabelledTask task = labelled_task(facts_);
  EXPECT_EQ(task.labels, open()->task().labels);
  EXPECT_EQ(task.choices, open()->task().choices);
  for (const auto& [split, name] : facts_.submissions) EXPECT_TRUE(is_unlabelled(split)) << split;
}

TEST_P(LabelledContract, IsTheSameWhenItIsMadeAgain) {
  const auto one = open_whole(), two = open_whole();
  for (const std::string& split : one->splits())
    EXPECT_EQ(example_texts(*one, split), example_texts(*two, split)) << split;
}

TEST_P(LabelledContract, KeepsSomeTrainingExamplesAndHoldsOutOthers) {
  const auto whole = open(), few = open({{"train_examples", 6}, {"holdout", 0.25}}),
             more = open({{"train_examples", 12}, {"holdout", 0.25}});
  const std::vector<std::string> all = example_texts(*whole, "train"),
                                 six = example_texts(*few, "train"),
                                 held_out = example_texts(*few, "holdout");
  EXPECT_EQ(six.size(), 6u);
  EXPECT_EQ(few->whole_size("train") + held_out.size(), all.size());
  EXPECT_THAT(example_texts(*more, "train"), testing::IsSupersetOf(six));
  EXPECT_EQ(example_texts(*more, "holdout"), held_out);
  for (const std::string& text : held_out) {
    EXPECT_THAT(all, testing::Contains(text));
    EXPECT_THAT(example_texts(*more, "train"), testing::Not(testing::Contains(text)));
  }
  EXPECT_EQ(example_texts(*whole, "dev"), example_texts(*few, "dev"));
}

TEST_P(LabelledContract, SaysWhatIsMissingAndWhichFileIsWrong) {
  const SplitFiles& files = facts_.files;
  if (files.empty()) return;
  for (const FileStatus& status : data_file_status(GetParam(), folder_ / "data"))
    EXPECT_NE(status.state, FileState::missing) << status.file;
  const std::string file = files.at("train").at(0);
  write_text(folder_ / "data" / file, "a table\tof\tsomething else\n1\t2\t3\n");
  EXPECT_THAT([&] { open(); }, testing::ThrowsMessage<ConfigError>(HasSubstr(file)));
  std::filesystem::remove(folder_ / "data" / file);
  EXPECT_THAT([&] { open(); }, testing::ThrowsMessage<TrialError>(testing::AllOf(
                                   HasSubstr(file), HasSubstr("rethink data get " + GetParam()))));
}

std::vector<std::string> labelled_names() {
  std::vector<std::string> names = datasets().names();
  std::erase_if(names,
                [](const std::string& name) { return datasets().facts(name).kind != "labelled"; });
  return names;
}

INSTANTIATE_TEST_SUITE_P(, LabelledContract, testing::ValuesIn(labelled_names()), plugin_test_name);

}  // namespace
}  // namespace rethink
