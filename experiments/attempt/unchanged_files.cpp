#include "experiments/attempt/unchanged_files.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "core/error.h"
#include "core/format/text_marks.h"
#include "core/format/tokenizer_folder.h"
#include "core/json.h"
#include "core/system/hash.h"
#include "core/system/remembered_hash.h"

namespace rethink {
namespace {

/// What says how a folder's weights and their words are read.
const std::set<std::string> kBesideWeights = {"config.json", "tokenizer_config.json", "vocab.txt"};

/// Whether the tokenizer of `folder` keeps case although no tokenizer_config.json says so, which is
/// all that rethink 0.1.0 read: its trials lower-cased the text. A job refuses what cannot be read.
bool keeps_case_unlike_0_1_0(const std::filesystem::path& folder) {
  try {
    const TokenizerCasing casing = read_casing(folder);
    return !casing.lower_case && casing.source != CasingSource::tokenizer_config;
  } catch (const Error&) {
    return false;
  }
}

/// The text of an option such as "data.paths[1]"; null when nothing of that name is a text.
const std::string* text_option(const Json& config, const std::string& option) {
  std::string pointer = "/";
  for (const char letter : option) {
    if (letter == '.' || letter == '[') {
      pointer += '/';
    } else if (letter != ']') {
      pointer += letter == '~' ? "~0" : std::string(1, letter);
    }
  }
  const Json::json_pointer at(pointer);
  return config.contains(at) ? config.at(at).get_ptr<const std::string*>() : nullptr;
}

[[noreturn]] void refuse_changed_file(const std::filesystem::path& path, const std::string& now,
                                      const std::string& planned) {
  throw TrialError(
      fmt::format("{} has changed since this trial was planned: its SHA-256 is {:.8}..., expected "
                  "{:.8}...; put "
                  "back what was there, or give the same command again, which plans trials of what "
                  "is there now",
                  path.string(), now, planned));
}

}  // namespace

std::optional<std::string> sha256_of_weights(
    const std::filesystem::path& path,
    const std::function<std::string(const std::filesystem::path&)>& hash_of) {
  if (std::filesystem::is_regular_file(path)) return hash_of(path);
  if (!std::filesystem::is_directory(path)) return std::nullopt;
  std::map<std::string, std::string> files;
  bool has_weights = false;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    const bool is_weights = entry.path().extension() == ".safetensors";
    has_weights = has_weights || is_weights;
    if (is_weights || kBesideWeights.contains(entry.path().filename()))
      files[entry.path().filename()] = hash_of(entry.path());
  }
  if (!has_weights) return std::nullopt;
  const std::filesystem::path vocabulary = path / "tokenizer.json";
  if (!files.contains("vocab.txt") && std::filesystem::is_regular_file(vocabulary))
    files[vocabulary.filename()] = hash_of(vocabulary);
  std::string text;
  for (const auto& [name, hash] : files) text += name + " " + hash + "\n";
  if (keeps_case_unlike_0_1_0(path)) text += "text keeps its case\n";
  return sha256_hex(text);
}

void require_unchanged_files(const Trial& trial, const Runtime& runtime) {
  const auto hash_of = [&](const std::filesystem::path& file) {
    return remembered_sha256(file, runtime.cache.empty() ? "" : runtime.cache / "hashes");
  };
  // A data set's own file is called by its name, one that an option names by the option.
  for (const auto& [name, planned] : trial.data) {
    const std::string* given = text_option(trial.config, name);
    const std::filesystem::path file = runtime.data / (given ? *given : name);
    if (!std::filesystem::is_regular_file(file)) continue;
    if (const std::string now = hash_of(file); now != planned && now + kReadPlainly != planned)
      refuse_changed_file(file, now, planned);
  }
  for (const auto& [slot, planned] : trial.imported) {
    const auto path = trial.imported_paths.find(slot);
    if (path == trial.imported_paths.end()) continue;
    const std::optional<std::string> now = sha256_of_weights(path->second, hash_of);
    if (now && *now != planned) refuse_changed_file(path->second, *now, planned);
  }
}

}  // namespace rethink
