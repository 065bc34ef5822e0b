#include <gtest/gtest.h>

#include "core/config/schema.h"
#include "core/files/hash.h"
#include "core/json.h"
#include "datasets/files/token_cache.h"

namespace rethink {
namespace {

TEST(CacheKey, HoldsTheBuildThatMakesTheTokens) {
  EXPECT_EQ(std::string(dataset_build()).size(), 20u);
  const Json identity = {{"options", 1},
                         {"build", dataset_build()},
                         {"dataset", "synthetic_language"},
                         {"revision", datasets().schema("synthetic_language").revision},
                         {"text_format", 3},
                         {"files", Json::array()}};
  EXPECT_EQ(token_cache_key({{"options", 1}}, "synthetic_language", {}, {}),
            sha256_hex(canonical_json(identity)));
}

}  // namespace
}  // namespace rethink
