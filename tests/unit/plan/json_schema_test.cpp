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

}  // namespace
}  // namespace rethink
