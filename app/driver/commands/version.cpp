// `rethink version`: prints the version and the build.
#include <fmt/format.h>

#include <iostream>

#include "app/driver/command.h"
#include "core/config/schema.h"
#include "core/format/file_kind.h"
#include "core/json.h"
#include "experiments/attempt/build_id.h"

namespace rethink {
namespace {

class Version : public Command {
 public:
  void declare(po::options_description&) const override {}
  int run(const CommandContext& context, const po::variables_map&) override {
    std::cout << fmt::format("rethink {}\nworker {}\n", RETHINK_VERSION, context.schema().build_id);
    if (const std::string commit = commit_of(context.programs); !commit.empty())
      std::cout << fmt::format("commit {}\n", commit);
    // A worker without LibTorch has none.
    const std::string numeric =
        read_json(context.programs / "schema.json").value("numeric_build", "");
    if (!numeric.empty()) std::cout << fmt::format("numeric build {}\n", numeric);
    return kDone;
  }
};

RETHINK_REGISTERED = add_command<Version>("version", "print the version and the build");

}  // namespace
}  // namespace rethink
