#include "app/driver/command.h"

#include "core/error.h"
#include "experiments/attempt/build_id.h"

namespace rethink {

CommandRegistry& commands() {
  static CommandRegistry registry("command", "app/driver/commands");
  return registry;
}

const Schema& CommandContext::schema() const {
  static const Schema schema = [this] {
    const std::filesystem::path file = programs / "schema.json";
    if (!std::filesystem::exists(file)) {
      throw MachineError(file.string() +
                         " is missing: build the programs again (make), or install them together");
    }
    Schema read = schema_from_json(read_json(file));
    const std::string worker = build_id_of(programs / "rethink-worker");
    if (read.build_id != worker) {
      throw MachineError(file.string() + " belongs to another build of rethink-worker (" + read.build_id +
                         ", the program beside it is " + worker +
                         "): build the programs again (make), or copy them together");
    }
    return read;
  }();
  return schema;
}

std::vector<std::string> arguments_of(const po::variables_map& given) {
  return given.count("arguments") ? given["arguments"].as<std::vector<std::string>>()
                                  : std::vector<std::string>{};
}

}  // namespace rethink
