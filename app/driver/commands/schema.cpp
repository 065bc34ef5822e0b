// `rethink schema`: writes the JSON Schema by which editors complete and check sweep files, or sites.yaml.
#include "core/config/schema.h"

#include <fmt/format.h>

#include <iostream>

#include "app/driver/command.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/json.h"
#include "experiments/plan/read/json_schema.h"
#include "experiments/site/sites_file.h"

namespace rethink {
namespace {

class SchemaCommand : public Command {
 public:
  std::string positional() const override { return "[sweeps | sites]"; }
  bool prints_data(const po::variables_map&) const override { return true; }
  // Here --out names a file, and not the folder for renderings.
  void declare(po::options_description&) const override {}

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> words = arguments_of(given);
    const std::string what = words.empty() ? "sweeps" : words[0];
    if (words.size() > 1 || (what != "sweeps" && what != "sites"))
      throw ConfigError(
          "invalid-argument",
          fmt::format("rethink schema: got '{}', expected sweeps or sites", joined(words, " ")));
    const Json schema = what == "sites" ? map_json_schema("rethink sites", site_options())
                                        : sweep_json_schema(context.schema());
    const std::string text = schema.dump(2) + "\n";
    if (given["out"].defaulted()) {
      std::cout << text;
    } else {
      write_file_atomically(context.out, text);
    }
    return kDone;
  }
};

RETHINK_REGISTERED = add_command<SchemaCommand>(
    "schema",
    "print a JSON Schema of sweep files, or of sites.yaml, for editors; --out FILE writes a file");

}  // namespace
}  // namespace rethink
