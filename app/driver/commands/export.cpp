// `rethink export TRIAL DIR`: the encoder that a trial left, as a folder of transformers.
#include <fmt/format.h>

#include <iostream>
#include <map>

#include "app/driver/command.h"
#include "app/driver/show/trial_artifacts.h"
#include "core/error.h"
#include "core/json.h"
#include "core/system/file.h"
#include "results/query/trial_prefix.h"
#include "results/query/trial_records.h"

namespace rethink {
namespace {

constexpr const char* kConfig = "config.json";

/// The trials that a select chose; none of another job's trial.
std::vector<std::string> winners_of(const std::filesystem::path& folder, const std::string& id) {
  Store store(folder, Store::Access::read);
  return read_trial_records(store, folder, {id}, {})[id].winners;
}

/// The files of an encoder among a trial's weights, by name.
std::map<std::string, Artifact> encoder_files(const std::filesystem::path& store,
                                              const std::string& id) {
  std::map<std::string, Artifact> files;
  const std::vector<std::string> chosen = winners_of(store, id);
  for (const Artifact& artifact : artifacts_of_trial(store, id)) {
    // A select has the files of all its winners, each name once for every seed.
    if (artifact.kind == "weights" && chosen.size() <= 1)
      files[artifact.path.filename()] = artifact;
  }
  if (files.empty()) {
    throw ConfigError(fmt::format(
        "trial {} {}", id,
        chosen.empty() ? "kept no weights: write `keep: weights` in its stage and run the sweep "
                         "again, which makes them again, to the same bits"
                       : "chooses among others; export one that it chose: " + joined(chosen)));
  }
  for (const char* name : {kConfig, "model.safetensors", "vocab.txt"}) {
    if (files.contains(name)) continue;
    throw ConfigError(
        fmt::format("the weights of trial {} have no {}: only encoders (jobs "
                    "pretrain and finetune) can be exported",
                    id, name));
  }
  return files;
}

/// Says what transformers cannot know.
void warn_of_own_attention(const std::string& config) {
  const Json json = parse_json(config, kConfig);
  const Json* kind = find_path(json, "rethink.model.attention.kind");
  const Json* at = find_path(json, "rethink.model.attention.at");
  if (kind && *kind == "dense" && (!at || at->empty())) return;
  std::cerr << fmt::format(
      "the model's attention is {}, which transformers has not: it loads the weights, but computes "
      "dense attention with them; `rethink encode` computes the model's own\n",
      kind ? kind->get<std::string>() : "not known");
}

class Export : public Command {
 public:
  std::string positional() const override { return "TRIAL NEW_DIR"; }
  void declare(po::options_description&) const override {}
  bool needs_folders() const override { return true; }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> words = arguments_of(given);
    if (words.size() != 2) {
      throw ConfigError("export: give a trial, by its id or the beginning of it, and a folder");
    }
    const std::filesystem::path to = words[1];
    require_new_folder(to);
    Store store(context.store, Store::Access::read);
    const std::string id = trial_with_prefix(store, words[0]);
    const std::map<std::string, Artifact> files = encoder_files(context.store, id);
    for (const auto& [name, artifact] : files) require_intact(artifact, context.store);
    make_folder_durably(to);
    for (const auto& [name, artifact] : files)
      write_file_durably(to / name, read_file(artifact.path));
    warn_of_own_attention(read_file(to / kConfig));
    std::cout << to.string() << "\n";
    return kDone;
  }
};

RETHINK_REGISTERED = add_command<Export>(
    "export", "the encoder that a trial left, as a folder that transformers loads");

}  // namespace
}  // namespace rethink
