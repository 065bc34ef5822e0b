// The files of predictions that fine-tuning leaves for scorers and servers.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/config/schema.h"
#include "core/files/file.h"
#include "core/json.h"
#include "datasets/labelled/labelled.h"
#include "datasets/labelled/predictions.h"
#include "datasets/labelled/squad.h"
#include "datasets/scores/answers.h"
#include "datasets/scores/labelled_metrics.h"
#include "tests/support/data_stand_ins.h"
#include "tests/unit/train/encoder_fixture.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::Key;
using testing::SizeIs;

class PredictionFiles : public testing::Test {
 protected:
  std::unique_ptr<AttemptFixture> tuned(const std::string& dataset,
                                        const Json& changes = Json::object()) const {
    auto attempt =
        std::make_unique<AttemptFixture>(tiny_finetuning(dataset, changes), 1, "finetune");
    attempt->inputs["init"] = of_kind(*base_, "weights");
    attempt->runtime.data = data_.path();
    EXPECT_EQ(attempt->run(), JobOutcome::done);
    return attempt;
  }

  void stand_in(const std::string& dataset) const {
    write_stand_ins(datasets().facts(dataset), data_.path());
  }

  std::shared_ptr<LabelledDataset> labelled(const std::string& dataset, const Json& options) const {
    return require_kind<LabelledDataset>(
        datasets().make(dataset, options, {data_.path(), data_ / "cache"}), dataset);
  }

  const std::unique_ptr<AttemptFixture> base_ =
      pretrained(tiny_pretraining({{"kind", "dense"}}, {{"steps", 2}}));
  const TempFolder data_;
};

/// Returns the artifact with this file name, such as "CoLA.tsv".
std::map<std::string, Artifact> files_of(const AttemptFixture& attempt) {
  std::map<std::string, Artifact> files;
  for (const Artifact& artifact : of_kind(attempt, "prediction_file"))
    files[artifact.name] = artifact;
  return files;
}

double last(const AttemptFixture& attempt, const std::string& name) {
  for (const auto& [key, value] : attempt.metrics()) {
    if (key.starts_with(name + " ")) return value;
  }
  ADD_FAILURE() << "no " << name;
  return 0;
}

/// STS-B's table of `count` pairs, with or without scores.
std::string pairs(int count, bool scores) {
  std::string text = std::string("index\tsentence1\tsentence2") + (scores ? "\tscore\n" : "\n");
  for (int i = 0; i < count; ++i) {
    const std::string words = "ba be bi bo bu ";
    text += fmt::format("{}\t{}\t{}", i, words.substr(3 * static_cast<size_t>(i % 5)),
                        words.substr(3 * static_cast<size_t>(i % 3)));
    text += scores ? fmt::format("\t{}\n", (7 * i) % 5) : "\n";
  }
  return text;
}

TEST_F(PredictionFiles, OfDevReproduceTheMetrics) {
  for (const char* dataset : {"glue/cola", "glue/stsb", "swag"}) {
    stand_in(dataset);
    write_text(data_ / "glue/STS-B/train.tsv", pairs(48, true));
    write_text(data_ / "glue/STS-B/dev.tsv", pairs(20, true));
    const auto attempt = tuned(dataset);
    const auto files = files_of(*attempt);
    ASSERT_THAT(files, ElementsAre(Key("dev.tsv"))) << dataset;
    EXPECT_EQ(files.at("dev.tsv").facts, (Json{{"split", "dev"}}));
    const auto data = labelled(dataset, Json::object());
    std::vector<double> truth;
    for (const LabelledExample& example : data->examples("dev")) truth.push_back(*example.label);
    const std::vector<double> predicted =
        read_predictions(files.at("dev.tsv").path, data->examples("dev"), data->task()).labels;
    const std::string metric = data->task().metrics.front();
    EXPECT_EQ(labelled_metric(metric, predicted, truth), last(*attempt, "dev/" + metric + "@last"))
        << dataset;
  }
}

TEST_F(PredictionFiles, OfTestSetsHaveTheServersFormAndNoMetrics) {
  stand_in("glue/mnli");
  const auto attempt = tuned("glue/mnli", {{"data", {{"test", true}}},
                                           {"evaluate", {{"splits", {"dev", "dev_mismatched"}}}}});
  const auto files = files_of(*attempt);
  EXPECT_THAT(files, ElementsAre(Key("AX.tsv"), Key("MNLI-m.tsv"), Key("MNLI-mm.tsv"),
                                 Key("dev.tsv"), Key("dev_mismatched.tsv")));
  const auto data = labelled("glue/mnli", {{"test", true}});
  for (const auto& [name, split] : {std::pair{"AX.tsv", "diagnostic"}, {"MNLI-m.tsv", "test"}}) {
    EXPECT_EQ(files.at(name).facts.at("split"), split);
    EXPECT_THAT(read_predictions(files.at(name).path, data->examples(split), data->task()).labels,
                SizeIs(data->examples(split).size()));
    EXPECT_TRUE(read_file(files.at(name).path).starts_with("index\tprediction\n"));
  }
  for (const Json& metric : attempt->events("metric")) {
    const std::string split = metric.at("split");
    EXPECT_TRUE(split == "train" || split.starts_with("dev")) << split;
  }
}

TEST_F(PredictionFiles, AreMadeWithTheWeightsThatAreReported) {
  write_text(data_ / "glue/STS-B/train.tsv", pairs(48, true));
  write_text(data_ / "glue/STS-B/dev.tsv", pairs(20, true));
  write_text(data_ / "glue/STS-B/test.tsv", pairs(20, false));
  const auto attempt =
      tuned("glue/stsb", {{"data", {{"test", true}}},
                          {"epochs", 8},
                          {"optimizer", {{"lr", 0.05}}},
                          {"evaluate", {{"splits", {"dev"}}, {"every", 1}, {"keep", "best"}}}});
  ASSERT_NE(last(*attempt, "dev/score@best"), last(*attempt, "dev/score@last"));
  const auto files = files_of(*attempt);
  const auto data = labelled("glue/stsb", {{"test", true}});
  const std::vector<double>
      dev = read_predictions(files.at("dev.tsv").path, data->examples("dev"), data->task()).labels,
      test =
          read_predictions(files.at("STS-B.tsv").path, data->examples("test"), data->task()).labels;
  ASSERT_EQ(dev.size(), test.size());
  for (size_t i = 0; i < dev.size(); ++i)
    EXPECT_NEAR(test[i], std::clamp(dev[i], 0.0, 5.0), 0.0006) << i;
}

TEST_F(PredictionFiles, AreTheSameAfterAResume) {
  stand_in("glue/cola");
  const Json changes = {{"data", {{"test", true}}}, {"epochs", nullptr}, {"steps", 3}};
  const auto quiet = tuned("glue/cola", changes);
  AttemptFixture cut(tiny_finetuning("glue/cola", changes), 1, "finetune");
  cut.inputs["init"] = of_kind(*base_, "weights");
  cut.runtime.data = data_.path();
  cut.stop = true;
  while (cut.run() == JobOutcome::interrupted) {
  }
  for (const auto& [name, file] : files_of(*quiet))
    EXPECT_EQ(files_of(cut).at(name).sha256, file.sha256) << name;
}

TEST_F(PredictionFiles, OfQuestionsAreWhatTheOfficialScorersRead) {
  for (const char* dataset : {"squad_v1", "squad_v2"}) {
    stand_in(dataset);
    const auto attempt = tuned(dataset, {{"questions", {{"stride", 8}, {"max_question", 8}}}});
    const auto files = files_of(*attempt);
    const bool no_answer = files.size() == 2;
    EXPECT_EQ(no_answer, dataset == std::string("squad_v2"));
    const QuestionSplit dev =
        read_squad(data_ / (no_answer ? "squad/dev-v2.0.json" : "squad/dev-v1.1.json"), "dev");
    const auto answers = nlohmann::ordered_json::parse(read_file(files.at("dev.json").path));
    std::map<std::string, std::string> texts = answers;
    EXPECT_THAT(texts, SizeIs(dev.questions.size()));
    NoAnswerProbabilities none;
    if (no_answer) {
      const auto read =
          nlohmann::ordered_json::parse(read_file(files.at("dev_no_answer.json").path));
      for (const auto& [id, probability] : read.items()) {
        none.emplace_back(id, probability.get<double>());
        EXPECT_GE(none.back().second, 0);
        EXPECT_LE(none.back().second, 1);
      }
    }
    const auto scores = squad_scores(dev.questions, texts, none, {.no_answer = no_answer});
    EXPECT_NEAR(scores.at(no_answer ? "best_f1" : "f1"), 100 * last(*attempt, "dev/f1@last"), 1e-9);
    EXPECT_NEAR(scores.at(no_answer ? "best_exact" : "exact"),
                100 * last(*attempt, "dev/exact@last"), 1e-9);
  }
}

}  // namespace
}  // namespace rethink
