#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/config/check.h"
#include "core/config/configuration.h"
#include "core/config/options.h"
#include "core/yaml/yaml.h"

namespace rethink {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct DrawOptions {
  int64_t seed = 0, count = 1;
  std::string word = "x";
  void fields(Fields& field) {
    field("seed", seed, "of the draw").min(0).may_follow_seed();
    field("count", count, "how many");
    field("word", word, "anything");
  }
};

struct DrawsOptions {
  DrawOptions one;
  std::vector<DrawOptions> more;
  std::string name = "x";
  void fields(Fields& field) {
    field("one", one, "a draw");
    field("more", more, "draws");
    field("name", name, "anything");
  }
};

Json draws_checked(const std::string& text) {
  Problems problems;
  const Json config = check_options(parse_yaml(text, "a.yaml"), describe_options<DrawsOptions>(),
                                    Schema(), "", problems);
  problems.throw_if_any();
  return config;
}

TEST(SeedOptions, AreFoundWhereTheyStandAndTakeTheNumber) {
  const Json config =
      draws_checked("{one: {seed: seed, word: seed}, more: [{seed: 3}, {seed: seed}], name: seed}");
  const auto found = seed_options(config, describe_options<DrawsOptions>(), Schema());
  std::vector<std::string> names;
  for (const SeedOption& option : found) names.push_back(option.name);
  EXPECT_THAT(names, ElementsAre("one.seed", "more[1].seed"));
  const auto read = read_options<DrawsOptions>(with_seed(config, found, 8));
  EXPECT_EQ(read.one.seed, 8);
  EXPECT_EQ(read.more[0].seed, 3);
  EXPECT_EQ(read.more[1].seed, 8);
  EXPECT_EQ(read.one.word, "seed");
  EXPECT_EQ(read.name, "seed");
  EXPECT_THROW(read_options<DrawsOptions>(config), ConfigError);
}

TEST(SeedOptions, AreEmptyForANumberOrAnIncompleteConfiguration) {
  const OptionsSchema options = describe_options<DrawsOptions>();
  EXPECT_THAT(seed_options(draws_checked("{}"), options, Schema()), IsEmpty());
  EXPECT_THAT(seed_options(Json::object(), options, Schema()), IsEmpty());
  EXPECT_THAT(seed_options({{"one", nullptr}, {"more", "seed"}}, options, Schema()), IsEmpty());
}

TEST(SeedOptions, StayInTheSchemaThatAProgramWrites) {
  Schema schema;
  schema.plugins["kind"]["name"].options = describe_options<DrawOptions>();
  const Schema read = schema_from_json(to_json(schema));
  EXPECT_TRUE(read.find("kind", "name")->options.find("seed")->may_follow_seed);
  EXPECT_FALSE(read.find("kind", "name")->options.find("count")->may_follow_seed);
}

/// `rethink mask` and similar commands have no trial whose seed it could be.
TEST(SeedOptions, AreNumbersOutsideOfAJob) {
  const OptionsSchema options = describe_options<DrawOptions>();
  Problems problems;
  check_value(parse_yaml("seed", "a.yaml"), *options.find("seed"), Schema(), "seed", problems);
  try {
    problems.throw_if_any();
    FAIL() << "no error";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), testing::EndsWith("'seed': got 'seed', expected an integer"));
  }
}

}  // namespace
}  // namespace rethink
