#include "experiments/schedule/trial_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "core/hash.h"
#include "core/remembered_hash.h"

namespace rethink {
namespace {

constexpr const char* kDatasetRegistry = "dataset";

std::vector<std::string> file_names(const PluginSchema& dataset, const Json& chosen) {
  std::vector<std::string> names;
  for (const Json& split : dataset.facts.value("files", Json::object())) {
    for (const Json& file : split) names.push_back(file);
  }
  for (const Json& option : dataset.facts.value("file_options", Json::array())) {
    const Json& value = chosen.at(option.get<std::string>());
    if (value.is_string() && !value.get<std::string>().empty()) names.push_back(value);
    if (value.is_array()) names.insert(names.end(), value.begin(), value.end());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// The option of the data set that names `file`; "" when it is one of its own files.
std::string option_naming(const PluginSchema& dataset, const Json& chosen,
                          const std::string& file) {
  for (const Json& option : dataset.facts.value("file_options", Json::array())) {
    const Json& value = chosen.at(option.get<std::string>());
    if (value == file) return option;
    if (value.is_array() && std::find(value.begin(), value.end(), file) != value.end())
      return option;
  }
  return "";
}

/// What to do about a file that is not there.
std::string how_to_get(const PluginSchema& dataset, const Json& chosen, const std::string& file) {
  const std::string option = option_naming(dataset, chosen, file);
  if (!option.empty()) {
    return fmt::format(
        "give '{}' a path that counts from the folder of data sets (--data or RETHINK_DATA), or "
        "an absolute one",
        option);
  }
  const std::string package = dataset.facts.value("package", "");
  if (!package.empty())
    return fmt::format("install Debian's package {0} (apt-get install {0})", package);
  return fmt::format(
      "run `rethink data get {}`, or name another folder with --data or RETHINK_DATA",
      dataset.name);
}

/// What a file is called in an identity: never by where the data folder is.
std::string identity_name(const std::string& name) {
  const std::filesystem::path path(name);
  return path.is_absolute() ? path.filename().string() : path.lexically_normal().string();
}

}  // namespace

std::filesystem::path hash_memory_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache) {
    return std::filesystem::path(cache) / "rethink" / "hashes";
  }
  if (const char* home = std::getenv("HOME"); home && *home) {
    return std::filesystem::path(home) / ".cache" / "rethink" / "hashes";
  }
  return {};
}

TrialFiles::TrialFiles(std::filesystem::path data, std::filesystem::path memory,
                       const Schema& schema)
    : data_(std::move(data)), memory_(std::move(memory)), schema_(schema) {}

std::string TrialFiles::hash_of(const std::filesystem::path& file) {
  const auto known = hashes_.find(file.string());
  if (known != hashes_.end()) return known->second;
  return hashes_[file.string()] = remembered_sha256(file, memory_);
}

std::map<std::string, std::string> TrialFiles::of_dataset(const Json& chosen,
                                                          const std::string& tag,
                                                          const Place& place, Problems& problems) {
  const std::string name = chosen.at(tag);
  const PluginSchema* dataset = schema_.find(kDatasetRegistry, name);
  RETHINK_ASSERT(dataset, name);
  std::map<std::string, std::string> hashes;
  for (const std::string& file : file_names(*dataset, chosen)) {
    const std::filesystem::path path = data_ / file;
    const auto where = [&] {
      const std::string option = option_naming(*dataset, chosen, file);
      return place(option.empty() ? tag : option);
    };
    if (path.is_relative() && data_.empty()) {
      problems.add(
          where(),
          fmt::format(
              "data set '{}' needs {}, but no folder of data sets is named: give --data DIR or "
              "set RETHINK_DATA",
              name, file));
    } else if (!std::filesystem::is_regular_file(path)) {
      problems.add(where(),
                   fmt::format("data set '{}' needs {}, which {}: {}", name, path.string(),
                               std::filesystem::exists(path) ? "is no file" : "does not exist",
                               how_to_get(*dataset, chosen, file)));
    } else {
      hashes[identity_name(file)] = hash_of(path);
    }
  }
  return hashes;
}

void TrialFiles::collect(const Json& value, const Field& field, const Place& place,
                         std::map<std::string, std::string>& found, Problems& problems) {
  if (value.is_null()) return;
  if (field.type == FieldType::list) {
    for (const Json& item : value) collect(item, field.element(), place, found, problems);
  }
  if (field.type != FieldType::object && field.type != FieldType::plugin) return;
  const Place inside = [&](const std::string& option) {
    return place(field.name.empty() ? option : field.name + "." + option);
  };
  for (const Field& inner : field.fields)
    collect(value.at(inner.name), inner, inside, found, problems);
  if (field.type != FieldType::plugin) return;
  const PluginSchema* plugin = schema_.find(field.registry, value.at(field.tag));
  for (const Field& inner : plugin->options.fields)
    collect(value.at(inner.name), inner, inside, found, problems);
  if (field.registry != kDatasetRegistry) return;
  const std::string key = value.dump();
  const auto known = by_dataset_.find(key);
  const auto& hashes = known != by_dataset_.end()
                           ? known->second
                           : by_dataset_[key] = of_dataset(value, field.tag, inside, problems);
  found.insert(hashes.begin(), hashes.end());
}

std::map<std::string, std::string> TrialFiles::of_data(const Json& config,
                                                       const OptionsSchema& options,
                                                       const Place& place, Problems& problems) {
  std::map<std::string, std::string> found;
  for (const Field& field : options.fields)
    collect(config.at(field.name), field, place, found, problems);
  return found;
}

std::string TrialFiles::of_weights(const std::filesystem::path& path, const Position& where,
                                   Problems& problems) {
  if (std::filesystem::is_regular_file(path)) return hash_of(path);
  std::map<std::string, std::string> files;
  bool has_weights = false;
  if (std::filesystem::is_directory(path)) {
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      const bool is_weights = entry.path().extension() == ".safetensors";
      has_weights = has_weights || is_weights;
      if (is_weights || entry.path().filename() == "config.json")
        files[entry.path().filename()] = hash_of(entry.path());
    }
  }
  if (!has_weights) {
    problems.add(
        where, fmt::format("{} {}; expected a folder with .safetensors weights, or one such file",
                           path.string(),
                           std::filesystem::exists(path) ? "holds no weights" : "does not exist"));
    return "";
  }
  std::string text;
  for (const auto& [name, hash] : files) text += name + " " + hash + "\n";
  return sha256_hex(text);
}

}  // namespace rethink
