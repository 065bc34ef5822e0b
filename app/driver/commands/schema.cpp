// `rethink schema`: writes the JSON Schema by which editors complete and check sweep files.
#include "core/config/schema.h"

#include <iostream>

#include "app/driver/command.h"
#include "core/system/file.h"
#include "experiments/plan/read/json_schema.h"

namespace rethink {
namespace {

class SchemaCommand : public Command {
 public:
  bool prints_data(const po::variables_map&) const override { return true; }
  // --out names a file here, not the folder for renderings.
  void declare(po::options_description&) const override {}

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::string text = sweep_json_schema(context.schema()).dump(2) + "\n";
    if (given["out"].defaulted()) {
      std::cout << text;
    } else {
      write_file_atomically(context.out, text);
    }
    return kDone;
  }
};

RETHINK_REGISTERED = add_command<SchemaCommand>(
    "schema", "print a JSON Schema of sweep files for editors; --out FILE writes a file");

}  // namespace
}  // namespace rethink
