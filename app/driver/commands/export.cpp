// `rethink export TRIAL DIR`: the encoder that a trial left, as a folder of transformers.
#include <fmt/format.h>

#include <iostream>
#include <map>

#include "app/driver/command.h"
#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "experiments/attempt/trial_folder.h"
#include "results/query.h"

namespace rethink {
namespace {

constexpr const char* kConfig = "config.json";

/// The files of an encoder among a trial's weights, by name.
std::map<std::string, Artifact> encoder_files(const TrialFolder& folder, const std::string& id) {
  const std::optional<Json> result = read_result(folder);
  if (!result) {
    throw ConfigError(
        fmt::format("trial {} has no result yet: `rethink status` and `rethink logs "
                    "{}` say more",
                    id, id));
  }
  std::map<std::string, Artifact> files;
  for (const Artifact& artifact : artifacts_of(*result, folder)) {
    if (artifact.kind == "weights") files[artifact.path.filename()] = artifact;
  }
  if (files.empty()) {
    throw ConfigError(fmt::format(
        "trial {} kept no weights: write `keep: weights` in its sweep, `rethink retry {}`, then "
        "`rethink run` it again",
        id, id));
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

/// Throws ConfigError unless all files are as the result lists them.
void require_whole(const std::map<std::string, Artifact>& files, const std::string& id) {
  for (const auto& [name, artifact] : files) {
    const bool is_there = std::filesystem::is_regular_file(artifact.path);
    if (is_there && sha256_file(artifact.path) == artifact.sha256) continue;
    throw ConfigError(fmt::format("{} {}; `rethink retry {}`, then `rethink run` makes it again",
                                  artifact.path.string(), is_there ? "is damaged" : "is gone", id));
  }
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
    if (std::filesystem::exists(to) &&
        !(std::filesystem::is_directory(to) && std::filesystem::is_empty(to)))
      throw ConfigError(to.string() + " is there already; name a new folder");
    Store store(context.store, Store::Access::read);
    const std::string id = trial_with_prefix(store, words[0]);
    const std::map<std::string, Artifact> files = encoder_files(TrialFolder(context.store, id), id);
    require_whole(files, id);
    make_folder_durably(to);
    for (const auto& [name, artifact] : files)
      write_file_durably(to / name, read_file(artifact.path));
    warn_of_own_attention(read_file(to / kConfig));
    std::cout << to.string() << "\n";
    return kDone;
  }
};

const bool registered = add_command<Export>(
    "export", "the encoder that a trial left, as a folder that transformers loads");

}  // namespace
}  // namespace rethink
