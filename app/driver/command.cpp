#include "app/driver/command.h"

#include "core/config/schema.h"
#include "core/error.h"
#include "experiments/attempt/build_id.h"

namespace rethink {

CommandRegistry& commands() {
  static CommandRegistry registry("command", "app/driver/commands");
  return registry;
}

std::filesystem::path CommandContext::place_on_disk() const {
  std::filesystem::path folder = std::filesystem::absolute(store);
  while (!std::filesystem::is_directory(folder)) folder = folder.parent_path();
  return folder;
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
      throw MachineError(file.string() + " belongs to another build of rethink-worker (" +
                         read.build_id + ", the program beside it is " + worker +
                         "): build the programs again (make), or copy them together");
    }
    return read;
  }();
  return schema;
}

bool Command::prints_data(const po::variables_map& given) const {
  if (!given.count("format")) return false;
  const std::string format = given["format"].as<std::string>();
  return format != "text" && format != "plot";
}

void require_trials(const CommandContext& context) {
  if (!std::filesystem::exists(std::filesystem::symlink_status(context.store / "trials")))
    throw ConfigError(context.store.string() + " is not a store; name one with --store");
}

std::vector<std::string> arguments_of(const po::variables_map& given) {
  return given.count("arguments") ? given["arguments"].as<std::vector<std::string>>()
                                  : std::vector<std::string>{};
}

void declare_format(po::options_description& options, const std::string& what) {
  options.add_options()("format", po::value<std::string>()->default_value("text"), what.c_str());
}

bool wants_json(const po::variables_map& given) {
  const std::string format = given["format"].as<std::string>();
  if (format != "text" && format != "json")
    throw ConfigError("--format: got '" + format + "', expected text or json");
  return format == "json";
}

std::string options_as_given(const po::variables_map& given,
                             const std::vector<std::string>& names) {
  std::string words;
  for (const std::string& name : names) {
    if (!given.count(name) || given[name].defaulted()) continue;
    const boost::any& value = given[name].value();
    std::vector<std::string> values;
    if (const auto* one = boost::any_cast<std::string>(&value)) {
      values = {*one};
    } else {
      values = given[name].as<std::vector<std::string>>();
    }
    for (const std::string& each : values) words += " --" + name + " " + for_a_shell(each);
  }
  return words;
}

}  // namespace rethink
