#include "experiments/attempt/inputs.h"

#include <fmt/format.h>

#include <set>

#include "core/config/schema.h"
#include "core/error.h"
#include "core/files/hash.h"
#include "core/files/store_file.h"
#include "core/format/text_marks.h"
#include "core/format/tokenizer_folder.h"
#include "core/json.h"
#include "core/store_files/result_file.h"
#include "core/store_files/trial_folder.h"
#include "experiments/attempt/trial_files.h"

namespace rethink {
namespace {

constexpr const char* kTrials = "trials";  // the kind of an input that reads results and no files

/// The advice in words, since the text is recorded (core/message.h).
std::string made_with(const std::string& reader, const std::string& needed) {
  return fmt::format("retry trial {} and run its sweep again, which makes trial {} again, too",
                     reader, needed);
}

/// The message for a trial without a file of the kind that `slot` of `reader` needs.
std::string nothing_left(const TrialFolder& folder, const std::string& kind,
                         const std::string& slot, const std::string& reader) {
  const std::string from = folder.path().filename();
  const std::string job = checked_trial(read_store_json(folder.trial())).job;
  if (!jobs().facts(job).runs_program)
    return fmt::format("trial {} wrote no {} for '{}'; {}", from, kind, slot,
                       made_with(reader, from));
  return fmt::format(
      "the program of trial {} reported no artifact '{}', which the input '{}' takes: it has to "
      "append {{\"artifact\": \"{}\", \"path\": FILE}} to $RETHINK_EVENTS",
      from, kind, slot, kind);
}

/// `reader` is the trial that needs the result.
Json result_of(const std::string& id, const Trial& reader, const std::filesystem::path& store) {
  const TrialFolder folder(store, id);
  const auto result = result_as_written(folder.result());
  if (!result)
    throw TrialError("missing-result",
                     fmt::format("trial {}, which this trial needs, has no result", id));
  if (!result->is_sound()) {
    throw TrialError("damaged-file", fmt::format("needs trial {}: {} is damaged ({}); {}", id,
                                                 folder.result().string(), result->damage,
                                                 made_with(reader.id, id)));
  }
  return result->object;
}

/// The results behind one need.
std::vector<Json> resolve(const std::string& id, const Trial& trial,
                          const std::filesystem::path& store) {
  const Json result = result_of(id, trial, store);
  if (!result.contains("selected")) return {result};
  const std::vector<std::string> chosen = winners(result, trial.seed);
  if (chosen.empty()) {
    throw TrialError("unknown-seed",
                     fmt::format("the winner of select {} has no seed {}; its seeds: {}", id,
                                 *trial.seed, result.at("selected").at("seeds").dump()));
  }
  std::vector<Json> all;
  for (const std::string& winner : chosen) {
    all.push_back(result_of(winner, trial, store));
    all.back()["via"] = id;
  }
  return all;
}

/// Checks the file's bytes as well: a result from other weights than recorded would not be noticed.
void require_file(const Artifact& artifact, const std::string& from, const Trial& reader) {
  const auto refuse = [&](const std::string& what) {
    throw TrialError(
        "artifact-unusable",
        fmt::format("{} of trial {}, which this trial reads: the file {}: {}; {}", artifact.name,
                    from, what, artifact.path.string(), made_with(reader.id, from)));
  };
  const std::string problem = store_file_problem(artifact.path);
  if (!problem.empty()) throw TrialError("artifact-unusable", problem);
  std::error_code missing;
  const uint64_t bytes = std::filesystem::file_size(artifact.path, missing);
  if (missing) refuse("is missing");
  if (bytes != artifact.bytes)
    refuse(fmt::format("is damaged ({} bytes, expected {})", bytes, artifact.bytes));
  if (sha256_file(artifact.path) != artifact.sha256)
    refuse("is damaged (its SHA-256 is not the recorded one)");
}

Artifact imported(const Trial& trial, const std::string& slot, const std::string& sha256) {
  const auto path = trial.imported_paths.find(slot);
  if (path == trial.imported_paths.end())
    throw TrialError("missing-need", "trial.json does not say where '" + slot + "' is");
  Artifact artifact;
  artifact.name = slot;
  artifact.kind = jobs().facts(trial.job).inputs.at(slot);
  artifact.path = path->second;
  artifact.sha256 = sha256;
  return artifact;
}

/// Files that describe how a folder's weights and vocabulary are read.
const std::set<std::string> kBesideWeights = {"config.json", "tokenizer_config.json", "vocab.txt"};

/// Whether the tokenizer of `folder` keeps case without a tokenizer_config.json that says so.
/// rethink 0.1.0 read only that file, so its trials lower-cased the text. A job refuses an
/// unreadable folder.
bool keeps_case_unlike_0_1_0(const std::filesystem::path& folder) {
  try {
    const TokenizerCasing casing = read_casing(folder);
    return !casing.lower_case && casing.source != CasingSource::tokenizer_config;
  } catch (const Error&) {
    return false;
  }
}

/// The text of an option such as "data.paths[1]"; null if no option of that name is a text.
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
      "data-changed",
      fmt::format("{} has changed since this trial was planned: its SHA-256 is {:.8}..., expected "
                  "{:.8}...; restore the old data, or give the same command again, which plans "
                  "trials of the new data",
                  path.string(), now, planned));
}

}  // namespace

Inputs read_inputs(const Trial& trial, const std::filesystem::path& store) {
  Inputs inputs;
  for (const auto& [slot, ids] : trial.needs) {
    const std::string kind = jobs().facts(trial.job).inputs.at(slot);
    for (const std::string& id : ids) {
      for (Json& result : resolve(id, trial, store)) {
        const std::string from = result.at("trial");
        bool found =
            kind == kTrials;  // a trial that only compares its needs reads none of their files
        for (Artifact& artifact : artifacts_of(result, TrialFolder(store, from))) {
          if (artifact.kind != kind) continue;
          require_file(artifact, from, trial);
          inputs.artifacts[slot].push_back(std::move(artifact));
          found = true;
        }
        if (!found)
          throw TrialError("artifact-missing",
                           nothing_left(TrialFolder(store, from), kind, slot, trial.id));
        inputs.results[slot].push_back(std::move(result));
      }
    }
  }
  for (const auto& [slot, sha256] : trial.imported)
    inputs.artifacts[slot].push_back(imported(trial, slot, sha256));
  return inputs;
}

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
  // A data set's own file has its name as key; a file of an option has the option.
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
