// `rethink export TRIAL DIR`: writes a trial's model as a folder; an encoder's folder has the
// format of transformers.
#include <fmt/format.h>

#include <iostream>
#include <map>

#include "app/driver/command.h"
#include "app/driver/show/trials/trial_artifacts.h"
#include "app/driver/show/trials/trial_weights.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/json.h"
#include "results/query/trial_prefix.h"

namespace rethink {
namespace {

constexpr const char* kConfig = "config.json";

/// Throws ConfigError unless these are the files of an encoder.
void require_encoder(const std::string& id, const std::map<std::string, Artifact>& files) {
  for (const char* name : {kConfig, "model.safetensors", "vocab.txt"}) {
    if (files.contains(name)) continue;
    throw ConfigError(
        "artifact-missing",
        fmt::format("the weights of trial {} have no {}: models of the jobs pretrain, finetune, lm "
                    "and mt can be "
                    "exported",
                    id, name));
  }
}

/// Warns of attention that transformers does not have.
void warn_of_own_attention(const std::string& config) {
  const Json json = parse_json(config, kConfig);
  const Json* kind = find_path(json, "rethink.model.attention.kind");
  const Json* at = find_path(json, "rethink.model.attention.at");
  if (kind && *kind == "dense" && (!at || at->empty())) return;
  std::cerr << fmt::format(
      "the model's attention is {}, which transformers lacks: it loads the weights, but computes "
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
      throw ConfigError("wrong-arguments",
                        "export: give a trial, by its id or the beginning of it, and a folder");
    }
    const std::filesystem::path to = words[1];
    require_new_folder(to);
    Store store(context.store, Store::Access::read);
    const std::string id = trial_with_prefix(store, words[0]);
    const std::map<std::string, Artifact> files = weights_of_trial(context, id);
    for (const auto& [name, artifact] : files) require_intact(artifact, context.store);
    if (files.contains(kDecoderWeights)) {
      std::vector<std::string> command = {"export", files.at(kDecoderWeights).path.string(),
                                          "--out", to.string()};
      for (const std::string& word : data_words(context)) command.push_back(word);
      become_worker(context, command);
    }
    require_encoder(id, files);
    make_folder_durably(to);
    for (const auto& [name, artifact] : files)
      write_file_durably(to / name, read_file(artifact.path));
    warn_of_own_attention(read_file(to / kConfig));
    std::cout << to.string() << "\n";
    return kDone;
  }
};

RETHINK_REGISTERED = add_command<Export>(
    "export", "export a trial's model as a folder; transformers loads that of an encoder");

}  // namespace
}  // namespace rethink
