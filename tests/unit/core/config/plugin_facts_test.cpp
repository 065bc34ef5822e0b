#include "core/config/plugin_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/config/schema.h"
#include "core/facts/job_facts.h"
#include "core/facts/mask_facts.h"
#include "core/json.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

const JobFacts kTrains = {
    .inputs = {{"init", "weights"}},
    .outputs = {"weights"},
    .metrics = JobMetrics{.always = {"train/loss"},
                          .splits = "splits",
                          .of = "metric",
                          .units = {{"character", {{"data.unit", {"char"}}}}},
                          .finals = {{"@last", std::nullopt}, {"@best", "keep"}}}};

const Json kTrainsInSchema = {{"inputs", {{"init", "weights"}}},
                              {"outputs", {"weights"}},
                              {"seeded", true},
                              {"metrics",
                               {{"always", {"train/loss"}},
                                {"splits", "splits"},
                                {"of", "metric"},
                                {"units", {{"character", {{"data.unit", {"char"}}}}}},
                                {"finals", {{"@last", nullptr}, {"@best", "keep"}}}}}};

TEST(PluginFacts, AreWrittenWithoutDefaults) {
  EXPECT_EQ(PluginFacts(kTrains).json(), kTrainsInSchema);
  EXPECT_EQ(PluginFacts().json(), Json::object());
}

TEST(PluginFacts, AreReadAsTheirStruct) {
  const PluginFacts read = facts_from_json(kTrainsInSchema, kOptionsType<JobFacts>);
  const auto& facts = read.as<JobFacts>();
  EXPECT_EQ(facts.inputs, kTrains.inputs);
  EXPECT_EQ(facts.metrics->units, kTrains.metrics->units);
  EXPECT_EQ(facts.metrics->finals, kTrains.metrics->finals);
  EXPECT_EQ(read.json(), kTrainsInSchema);
  EXPECT_EQ(read.get_if<MaskFacts>(), nullptr);
}

TEST(PluginFacts, AreRefusedWhereOneIsMissingUnknownOrOfAnotherType) {
  const auto read = [](const Json& json) {
    return [json] { facts_from_json(json, kOptionsType<MaskFacts>); };
  };
  EXPECT_NO_THROW(read({{"crops", true}})());
  EXPECT_THAT(read(Json::object()), ThrowsMessage<ConfigError>(HasSubstr("'crops' is missing")));
  EXPECT_THAT(read({{"crops", true}, {"crosp", true}}),
              ThrowsMessage<ConfigError>(HasSubstr("unknown key 'crosp'; did you mean 'crops'?")));
  EXPECT_THAT(read({{"crops", "yes"}}),
              ThrowsMessage<ConfigError>(HasSubstr("crops: got \"yes\", expected true or false")));
}

TEST(PluginFacts, AreRefusedWithTheNameOfTheirPlugin) {
  Schema schema;
  schema.plugins["mask"]["star"] = {"mask", "star", "one hub", 1, {}, MaskFacts{.crops = true}};
  Json json = to_json(schema);
  EXPECT_TRUE(schema_from_json(json).find("mask", "star")->facts.as<MaskFacts>().crops);
  json["plugins"]["mask"]["star"]["facts"] = Json::object();
  EXPECT_THAT(
      [&] { schema_from_json(json); },
      ThrowsMessage<ConfigError>(HasSubstr("schema: facts of mask 'star': 'crops' is missing")));
}

}  // namespace
}  // namespace rethink
