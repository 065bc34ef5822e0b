// Language models that learn from syntax hints.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "core/files/file.h"
#include "core/json.h"
#include "tests/unit/train/attempt_fixture.h"
#include "tests/unit/train/hinted_sentences.h"

namespace rethink {
namespace {

/// If trees belong to another text, the user must know it before the first step, not after hours of training.
TEST(LmJobWithHints, RecordsTheShareOfTokensWithHintsFirst) {
  const TempFolder folder;
  std::string text;
  for (int line = 0; line < 40; ++line) text += "a b\n";
  write_text(folder / "text", text);
  write_text(folder / "trees", "1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n2\tb\t_\t_\t_\t_\t1\t_\t_\t_\n");
  write_text(folder / "others", "1\tc\t_\t_\t_\t_\t0\t_\t_\t_\n");
  for (const auto& [trees, share, level] :
       {std::tuple("trees", 1.0, "info"), std::tuple("others", 0.0, "warning")}) {
    Json options = tiny_lm({{"steps", 2}, {"model", {{"attention", {{"kind", "syntax_guided"}}}}}});
    options["data"] = {
        {"dataset", "text"}, {"path", "text"}, {"hints", {trees}}, {"dev", 0.2}, {"test", 0.2}};
    AttemptFixture attempt(options);
    attempt.runtime.data = folder.path();
    ASSERT_EQ(attempt.run(), JobOutcome::done);
    const std::string events = read_file(attempt.path("events-1.jsonl"));
    EXPECT_LT(events.find("hint_coverage"), events.find("\"tick\""));
    EXPECT_LT(events.find("syntax hints: "), events.find("\"tick\""));
    EXPECT_EQ(attempt.events("message").at(0).at("level"), level);
    for (const Json& event : attempt.events("measurement")) {
      if (event.at("name") == "hint_coverage") {
        EXPECT_EQ(event.at("value"), share) << trees;
      }
    }
  }
}

/// Options of a language model that trains on hinted sentences of different lengths in `folder`.
Json hinted_lm(const TempFolder& folder, const Json& changes) {
  std::string text;
  for (int i = 0; i < 16; ++i) text += "a b\nc d e\nf g h i\nk l\n";
  write_text(folder / "text", text);
  write_text(folder / "trees", trees_of_hinted_sentences());
  Json options = tiny_lm(changes);
  options["data"] = {
      {"dataset", "text"}, {"path", "text"}, {"hints", {"trees"}}, {"dev", 0.25}, {"test", 0.25}};
  return options;
}

/// With constant weights the mean loss does not depend on how the data are cut into batches.
TEST(LmJobWithHints, RecordsThePointerLossOverTokensOfAllBatches) {
  const TempFolder folder;
  std::vector<double> found;
  for (const auto& [batch, parts] : {std::pair(1, 1), {3, 1}, {2, 2}, {64, 1}}) {
    const Json options = hinted_lm(
        folder,
        {{"epochs", 1},
         {"log_every", 1000},
         {"batch", batch},
         {"accumulate", parts},
         {"optimizer", {{"lr", 1e-30}}},
         {"model", {{"dropout", 0}, {"attention", {{"kind", "syntax_guided"}, {"lambda", 1}}}}}});
    AttemptFixture attempt(options);
    attempt.runtime.data = folder.path();
    ASSERT_EQ(attempt.run(), JobOutcome::done);
    found.push_back(
        attempt.metrics().at(fmt::format("train/pointer_loss {}", attempt.last_step())));
  }
  EXPECT_GT(found[0], 0.1);
  for (const double value : found) EXPECT_NEAR(value, found[0], 1e-5);
}

/// Batches have different numbers of tokens. Each must be weighted by its tokens, as in one large batch.
TEST(LmJobWithHints, LearnsThePointerLossOfPartsAsOfOneBatch) {
  const TempFolder folder;
  std::vector<std::map<std::string, double>> found;
  for (const auto& [batch, parts] : {std::pair(4, 1), {2, 2}, {1, 4}}) {
    const Json options = hinted_lm(
        folder,
        {{"steps", 8},
         {"log_every", 1},
         {"batch", batch},
         {"accumulate", parts},
         {"buckets", false},
         {"model", {{"dropout", 0}, {"attention", {{"kind", "syntax_guided"}, {"lambda", 20}}}}}});
    AttemptFixture attempt(options);
    attempt.runtime.data = folder.path();
    ASSERT_EQ(attempt.run(), JobOutcome::done);
    found.push_back(attempt.metrics());
  }
  EXPECT_NE(found[0].at("train/pointer_loss 1"), found[0].at("train/pointer_loss 8"));
  for (const auto& [name, value] : found[0]) {
    // A bias of keys shifts all scores of a query equally. Its gradient is only rounding, which Adam scales to full steps.
    if (!name.starts_with("train/") || name.starts_with("train/attention_logit_")) continue;
    EXPECT_NEAR(found[1].at(name), value, 1e-4) << name;
    EXPECT_NEAR(found[2].at(name), value, 1e-4) << name;
  }
}

}  // namespace
}  // namespace rethink
