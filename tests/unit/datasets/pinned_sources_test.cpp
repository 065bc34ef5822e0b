// Downloads are checked against recorded hashes and sizes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/config/registry.h"
#include "datasets/dataset.h"
#include "datasets/files/data_files.h"

namespace rethink {
namespace {

TEST(DataSources, HaveAHashAndASize) {
  const auto is_hash = testing::MatchesRegex("[0-9a-f]{64}");
  std::set<std::string> with_sources;
  for (const std::string& name : datasets().names()) {
    for (const DataSource& source : datasets().facts(name).sources) {
      with_sources.insert(name);
      EXPECT_THAT(source.sha256, is_hash) << name << ": " << source.url;
      EXPECT_GT(source.bytes, 0) << name << ": " << source.url;
      EXPECT_FALSE(source.files.empty()) << name << ": " << source.url;
    }
  }
  EXPECT_THAT(with_sources, testing::IsSupersetOf({"enwik8", "swag"}));
}

}  // namespace
}  // namespace rethink
