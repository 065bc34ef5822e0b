#include "experiments/plan/read/written_path.h"

#include <fmt/format.h>

#include "core/facts/dataset_facts.h"
#include "core/facts/job_facts.h"
#include "core/system/named_file.h"
#include "core/system/piped_input.h"
#include "experiments/plan/plan.h"
#include "experiments/plan/read/stage_spec.h"

namespace rethink {
namespace {

constexpr const char* kDatasetRegistry = "dataset";

/// Where relative paths that are written at `where` begin: "" is the current folder.
std::filesystem::path folder_of(const Position& where) {
  return is_regular_file_there(where.file) ? folder_of_names_in(where.file) : "";
}

}  // namespace

WrittenPaths::WrittenPaths(const PlanChoices& choices, const Schema& schema)
    : data_(choices.data), paths_(choices.paths), schema_(schema) {}

void WrittenPaths::lead(Yaml& given, const PluginSchema& job) {
  if (job.facts.as<JobFacts>().runs_program) return lead_data_of_program(given);
  for (const Field& field : job.options.fields) {
    Yaml* chosen = field.registry == kDatasetRegistry ? given.find(field.name) : nullptr;
    const Yaml* name = chosen ? chosen->find(field.tag) : nullptr;
    const PluginSchema* dataset = name ? schema_.find(field.registry, name->scalar) : nullptr;
    if (!dataset) continue;
    for (const std::string& option : dataset->facts.as<DatasetFacts>().file_options) {
      if (Yaml* value = chosen->find(option)) lead_value(*value);
    }
  }
}

void WrittenPaths::lead_data_of_program(Yaml& given) {
  Yaml* data = given.find("data");
  if (!data) return;
  for (Yaml::Entry& entry : data->entries) {
    for (const char* key : {"file", "dir"}) {
      Yaml* value = entry.value.find(key);
      if (!value || !value->is_scalar()) continue;
      lead_value(*value);
      if (value->scalar.starts_with('/')) continue;
      const std::filesystem::path begins = data_.empty() ? folder_of(value->where) : data_;
      value->scalar = std::filesystem::absolute(begins / value->scalar).lexically_normal();
    }
  }
}

void WrittenPaths::lead_value(Yaml& value) {
  for (Yaml& item : value.items) lead_value(item);
  if (value.is_scalar()) value.scalar = beside(value.scalar, value.where);
}

void WrittenPaths::lead(Need& need) {
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
  const std::filesystem::path near =
      std::filesystem::absolute(folder_of(where) / written).lexically_normal();
  if (!is_there(near)) return written;
  const std::filesystem::path among_data = data_ / written;
  std::error_code unknown;
  if (!data_.empty() && is_there(among_data) &&
      !std::filesystem::equivalent(near, among_data, unknown)) {
    notes_.insert(note_at(
        where, fmt::format("{} is read, and {} is not: a path leads from the file that writes it "
                           "first, then from the folder of data sets",
                           near.string(), among_data.string())));
  }
  return place->second = near;
}

}  // namespace rethink
