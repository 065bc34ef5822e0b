#include "experiments/plan/read/written_path.h"

#include <fmt/format.h>

#include "core/add_once.h"
#include "core/facts/dataset_facts.h"
#include "core/facts/job_facts.h"
#include "core/files/named_file.h"
#include "core/files/piped_input.h"
#include "experiments/plan/plan.h"
#include "experiments/plan/read/stage_spec.h"

namespace rethink {
namespace {

/// The folder from which relative paths at `where` begin: "" is the current folder.
std::filesystem::path folder_of(const Position& where) {
  return is_regular_file_there(where.file) ? folder_of_names_in(where.file) : "";
}

std::filesystem::path place_beside(const std::filesystem::path& written, const Position& where) {
  return std::filesystem::absolute(folder_of(where) / written).lexically_normal();
}

}  // namespace

std::string missing_beside(const std::filesystem::path& missing, const std::filesystem::path& data,
                           const Position& where) {
  if (data.empty()) return "";
  const std::filesystem::path place = std::filesystem::absolute(missing).lexically_normal();
  const std::filesystem::path written =
      place.lexically_relative(std::filesystem::absolute(data).lexically_normal());
  if (written.empty() || *written.begin() == "..") return "";
  const std::filesystem::path beside = place_beside(written, where);
  if (beside == place) return "";
  return fmt::format(", and neither does {}", beside.string());
}

WrittenPaths::WrittenPaths(const PlanChoices& choices, const Schema& schema)
    : data_(choices.data), paths_(choices.paths), schema_(schema) {}

void WrittenPaths::resolve(const Yaml& given, const PluginSchema& job, Json& config) {
  if (job.facts.as<JobFacts>().runs_program) return resolve_data_of_program(given, config);
  for (const Field& field : job.options.fields) {
    const Yaml* chosen = field.registry == kDatasetRegistry ? given.find(field.name) : nullptr;
    if (!chosen || !config.at(field.name).is_object()) continue;
    Json& options = config.at(field.name);
    const PluginSchema* dataset = schema_.find(field.registry, options.at(field.tag));
    for (const std::string& option : dataset->facts.as<DatasetFacts>().file_options) {
      if (const Yaml* value = chosen->find(option)) resolve_value(*value, options.at(option));
    }
  }
}

void WrittenPaths::resolve_data_of_program(const Yaml& given, Json& config) {
  const Yaml* data = given.find("data");
  if (!data) return;
  for (const Yaml::Entry& entry : data->entries) {
    for (const char* key : {"file", "dir"}) {
      const Yaml* written = entry.value.find(key);
      if (!written || !written->is_scalar()) continue;
      Json& value = config.at("data").at(entry.key).at(key);
      resolve_value(*written, value);
      const std::filesystem::path begins = data_.empty() ? folder_of(written->where) : data_;
      value =
          std::filesystem::absolute(begins / value.get<std::string>()).lexically_normal().string();
    }
  }
}

void WrittenPaths::resolve_value(const Yaml& given, Json& value) {
  for (size_t i = 0; value.is_array() && i < given.items.size(); ++i)
    resolve_value(given.items[i], value.at(i));
  if (value.is_string()) value = beside(value.get<std::string>(), given.where).string();
}

void WrittenPaths::resolve(Need& need) {
  if (need.imported.empty() || need.imported.is_absolute()) return;
  const std::filesystem::path written = need.imported;
  need.imported = beside(written, need.where);
  if (need.imported == written) need.imported = data_ / written;
  if (is_there(need.imported)) return;
  for (const std::filesystem::path& path : paths_) {
    const std::filesystem::path known = path / "experiments" / (written.string() + ".json");
    if (need.published.empty() && is_file_there(known)) need.published = known;
  }
}

std::filesystem::path WrittenPaths::beside(const std::filesystem::path& written,
                                           const Position& where) {
  if (written.empty() || written.is_absolute()) return written;
  const auto [place, is_new] = found_.try_emplace({where.file, written}, written);
  if (!is_new) return place->second;
  const std::filesystem::path near = place_beside(written, where);
  if (!is_there(near)) return written;
  const std::filesystem::path among_data = data_ / written;
  std::error_code unknown;
  if (!data_.empty() && is_there(among_data) &&
      !std::filesystem::equivalent(near, among_data, unknown)) {
    add_once(notes_, Note("ambiguous-path",
                          fmt::format("{} is read, and {} is not: a path is looked up beside the "
                                      "file that contains it, then in the folder of data sets",
                                      near.string(), among_data.string()),
                          where));
  }
  return place->second = near;
}

}  // namespace rethink
