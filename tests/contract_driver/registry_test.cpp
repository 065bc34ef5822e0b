// The registries that only the driver has: commands, renderers, scorers, kinds of figures and tables,
// faults of artifacts, kinds of places. The others are in contract/registry_test.cpp.
#include <fmt/format.h>

#include "app/driver/command.h"
#include "app/driver/score/scorer.h"
#include "core/json.h"
#include "plots/figure/figure_kind.h"
#include "plots/render/renderer.h"
#include "plots/table/cells/artifact_fault.h"
#include "plots/table/cells/attention_matrix.h"
#include "plots/table/table_kind.h"
#include "tests/support/registry_files.h"

namespace rethink {
namespace {

TEST(DriverRegistries, AreAllLinkedIntoThisProgram) {
  for (const auto& [kind, folder] : declared_registries()) {
    if (folder.starts_with("plots/") || folder.starts_with("app/")) {
      EXPECT_EQ(registries().count(kind), 1u) << kind;
    }
  }
}

TEST(DriverRegistries, NameTheirPluginsAsTheirFiles) {
  for (const RegistryBase* registry : std::initializer_list<const RegistryBase*>{
           &commands(), &renderers(), &scorers(), &figure_kinds(), &table_kinds(),
           &artifact_faults(), &place_kinds()}) {
    expect_named_as_files(*registry);
    expect_summaries(*registry);
  }
}

class CommandContract : public testing::TestWithParam<std::string> {};

/// The options that `rethink COMMAND --help` shows, and those that main.cpp adds itself.
TEST_P(CommandContract, DeclaresOptionsThatSayWhatTheyAreFor) {
  const auto command = commands().make(GetParam(), Json::object());
  po::options_description options;
  command->declare(options);
  const std::set<std::string> of_main = {"store", "data", "path",     "out",
                                         "quiet", "help", "arguments"};
  std::set<std::string> seen;
  for (const auto& option : options.options()) {
    EXPECT_FALSE(option->description().empty()) << option->long_name();
    EXPECT_TRUE(seen.insert(option->long_name()).second) << option->long_name() << " twice";
    EXPECT_FALSE(of_main.count(option->long_name())) << option->long_name() << " is main's";
  }
}

INSTANTIATE_TEST_SUITE_P(, CommandContract, testing::ValuesIn(commands().names()),
                         plugin_test_name);

}  // namespace
}  // namespace rethink
