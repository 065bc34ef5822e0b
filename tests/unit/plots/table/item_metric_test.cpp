#include "plots/table/cells/item_metric.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/config/schema.h"
#include "core/facts/metric_facts.h"

namespace rethink::test {
namespace {

TEST(ItemMetric, FollowsFromWhatTheSchemaSays) {
  Schema schema;
  const auto add = [&](const std::string& name, const MetricFacts& facts) {
    schema.plugins["metric"][name].facts = facts;
  };
  add("perplexity",
      {.kind = "sequences", .items = MetricItems{.mean_over = "tokens", .shown_as = "exp"}});
  add("line_perplexity",
      {.kind = "sequences", .items = MetricItems{.mean_over = "items", .shown_as = "exp"}});
  add("accuracy", {.kind = "labels"});
  add("exact", {.kind = "answers"});
  add("bleu", {.kind = "translations", .items = MetricItems{.sums_of = "bleu_counts"}});
  add("mlm_accuracy", {.kind = "masked"});
  const ItemMetrics metrics = item_metrics(schema);

  std::vector<std::string> names;
  for (const auto& [name, metric] : metrics) names.push_back(name);
  EXPECT_THAT(names,
              testing::ElementsAre("accuracy", "bleu", "exact", "line_perplexity", "perplexity"));
  EXPECT_FALSE(metrics.at("perplexity").over_items);
  EXPECT_TRUE(metrics.at("line_perplexity").over_items);
  EXPECT_EQ(metrics.at("perplexity").shown_as, "exp");
  EXPECT_EQ(metrics.at("exact").own_score, "exact");
  EXPECT_EQ(metrics.at("exact").shown_as, "");
  const std::vector<double> predicted = {0, 1, 1, 0}, expected = {0, 1, 0, 0};
  EXPECT_DOUBLE_EQ(metrics.at("accuracy").of_labels(predicted, expected), 0.75);
  EXPECT_FALSE(metrics.at("exact").of_labels);
  EXPECT_NEAR(metrics.at("bleu").of_counts({1, 1, 1, 1, 2, 2, 2, 2, 5, 5}, false), 50, 1e-10);
  EXPECT_EQ(metrics.at("bleu").shown_as, "");
  EXPECT_FALSE(metrics.at("perplexity").of_counts);
}

}  // namespace
}  // namespace rethink::test
