#include "app/driver/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "core/config/schema.h"
#include "core/error.h"
#include "core/format/file_kind.h"
#include "core/store_files/trial_folder.h"
#include "core/text.h"
#include "experiments/attempt/build_id.h"
#include "experiments/run/attempts/libtorch_here.h"

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
      throw MachineError(
          "missing-program",
          file.string() + " is missing: build the programs again (make), or install them together");
    }
    Schema read = schema_from_json(read_json(file));
    const std::string worker = build_id_of(programs / "rethink-worker");
    if (read.build_id != worker) {
      throw MachineError("other-build",
                         file.string() + " belongs to another build of rethink-worker (" +
                             read.build_id + ", the program beside it is " + worker +
                             "): build the programs again (make), or copy them together");
    }
    return read;
  }();
  return schema;
}

po::options_description common_options() {
  po::options_description common("Everywhere");
  common.add_options()("store", po::value<std::string>()->value_name("DIR")->default_value("store"),
                       "folder of trials and results")(
      "data", po::value<std::string>()->value_name("DIR"),
      "folder of datasets (default: RETHINK_DATA)")(
      "path", po::value<std::vector<std::string>>()->value_name("DIR")->composing(),
      "your own folder with sweeps, presets and specs, or a checkout; may be repeated")(
      "out", po::value<std::string>()->value_name("DIR")->default_value("out"),
      "folder for renderings")("quiet,q", "no progress, only results")("help,h", "this text");
  return common;
}

bool Command::prints_data(const po::variables_map& given) const {
  if (!given.count("format")) return false;
  const std::string format = given["format"].as<std::string>();
  return format != "text" && format != "plot";
}

void require_trials(const CommandContext& context) {
  if (!std::filesystem::exists(std::filesystem::symlink_status(trials_folder(context.store))))
    throw ConfigError("no-store",
                      context.store.string() + " is not a store; name one with --store");
}

std::vector<std::string> arguments_of(const po::variables_map& given) {
  return given.count("arguments") ? given["arguments"].as<std::vector<std::string>>()
                                  : std::vector<std::string>{};
}

void declare_format(po::options_description& options, const std::string& what) {
  options.add_options()("format",
                        po::value<std::string>()->value_name("FORMAT")->default_value("text"),
                        what.c_str());
}

bool wants_json(const po::variables_map& given) {
  const std::string format = given["format"].as<std::string>();
  if (format != "text" && format != "json")
    throw ConfigError("invalid-argument", "--format: got '" + format + "', expected text or json");
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
    for (const std::string& each : values)
      words +=
          " --" + name + (each.empty() ? "" : " " + for_a_shell(each));  // a switch has no value
  }
  return words;
}

std::optional<int64_t> number_given(const po::variables_map& given, const std::string& name,
                                    const WholeNumbers& allowed) {
  if (!given.count(name)) return std::nullopt;
  const std::string text = given[name].as<std::string>();
  int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && stop == end && number >= allowed.least && number <= allowed.most)
    return number;
  const bool has_end =
      allowed.most < WholeNumbers{}.most || error == std::errc::result_out_of_range;
  throw ConfigError("invalid-argument",
                    fmt::format("--{}: got '{}', expected a whole number{}", name, text,
                                has_end ? fmt::format(" from {} to {}", allowed.least, allowed.most)
                                        : fmt::format(", {} or more", allowed.least)));
}

namespace {

/// `text` with each byte that is not UTF-8 as "\xE9".
std::string printable(std::string text) {
  for (size_t at = find_invalid_utf8(text); at != std::string::npos; at = find_invalid_utf8(text))
    text.replace(at, 1, fmt::format("\\x{:02X}", static_cast<unsigned char>(text[at])));
  return text;
}

}  // namespace

void require_utf8(const std::string& what, const std::string& text) {
  if (find_invalid_utf8(text) == std::string::npos) return;
  throw ConfigError(
      "not-utf8",
      fmt::format("{}: got '{}', which is not UTF-8, as names in stores and sweeps have to be; "
                  "rename the folder or file (mv, convmv), or name another",
                  what, printable(text)));
}

void become_worker(const CommandContext& context, std::vector<std::string> words) {
  require_libtorch(fmt::format("'rethink {}'", words.at(0)));
  const std::string worker = (context.programs / "rethink-worker").string();
  words.insert(words.begin(), worker);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(worker.c_str(), pointers.data());
  throw MachineError("missing-program", "cannot start " + worker + ": " + std::strerror(errno));
}

}  // namespace rethink
