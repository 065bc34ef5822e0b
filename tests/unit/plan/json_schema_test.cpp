#include "experiments/plan/read/json_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "tests/unit/plan/sample_schema.h"

namespace rethink {
namespace {

TEST(JsonSchema, DescribesJobsPluginsAndTheirOptions) {
  const Json schema = sweep_json_schema(sample::schema());
  EXPECT_EQ(schema["$schema"], "http://json-schema.org/draft-07/schema#");
  EXPECT_EQ(schema["additionalProperties"], false);
  const Json& stages = schema["definitions"]["stage"]["anyOf"];
  ASSERT_EQ(stages.size(), sample::schema().names("job").size() + 1);  // and `use`
  const Json& finetune = stages[0];
  EXPECT_EQ(finetune["properties"]["job"]["const"], "finetune");
  EXPECT_EQ(finetune["properties"]["batch"]["default"], 8);
  EXPECT_EQ(finetune["properties"]["batch"]["minimum"], 1.0);
  EXPECT_EQ(finetune["properties"]["batch"]["description"], "examples a step");
  EXPECT_EQ(finetune["properties"]["splits"]["minItems"], 1);
  EXPECT_TRUE(finetune["properties"]["needs"]["properties"].contains("mask"));
  const Json& star = schema["definitions"]["mask:star:kind"];
  EXPECT_EQ(star["properties"]["kind"]["const"], "star");
  EXPECT_TRUE(star["properties"].contains("diagonal"));
  const Json& drawn = schema["definitions"]["mask:drawn:kind"]["properties"]["seed"];
  EXPECT_EQ(drawn["anyOf"], Json::parse(R"([{"type": ["integer", "null"]}, {"const": "seed"}])"));
  EXPECT_EQ(drawn["minimum"], 0.0);
  EXPECT_EQ(drawn["description"], "of the draw (seed: the trial's own)");
}

TEST(JsonSchema, DescribesSettings) {
  const Json all = sweep_json_schema(sample::schema())["properties"];
  const Json &resources = all["resources"]["properties"],
             &stall = all["limits"]["properties"]["stall"];
  EXPECT_EQ(resources["threads"]["minimum"], 1.0);
  EXPECT_EQ(resources["threads"]["description"], "threads per trial; default 1");
  EXPECT_EQ(resources["device"]["enum"], Json::parse(R"(["auto", "cpu", "cuda", null])"));
  EXPECT_EQ(all["retry"]["properties"]["killed"]["default"], 10);
  EXPECT_EQ(stall["pattern"], "^[0-9.]+(s|min|h|d)$");
  EXPECT_EQ(stall["default"], "15min");
  EXPECT_EQ(all["keep"]["enum"], Json::parse(R"(["metrics", "weights", null])"));
}

}  // namespace
}  // namespace rethink
