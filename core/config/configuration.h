// Reads a checked configuration by its schema: the hashed part, the named plug-ins, the options
// that follow the trial's seed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/schema.h"
#include "core/json.h"

namespace rethink {

/// Where an option of a configuration is: a chain that becomes text only where a message needs it, since
/// plans look at tens of thousands of configurations.
struct OptionPath {
  const OptionPath* parent = nullptr;
  std::string_view name = {};        // as written; the outermost may be dotted or empty
  std::optional<size_t> index = {};  // an element of the list `parent`, without a name

  std::string text() const;         // "model.attention.at[0].mask"
  std::string option_text() const;  // the same without elements: "model.attention.at.mask"
  Json::json_pointer pointer() const;
};

/// `config` less what is not part of an identity: fields that are not hashed, and fields equal to
/// the value that their absence means. Requires: `config` is complete and typed (core/config/check.h or
/// write_options).
Json hashed_part(const Json& config, const OptionsSchema& options, const Schema& schema);

/// A plug-in that a configuration names, and the dotted path of the option that names it.
struct ChosenPlugin {
  std::string path;  // "model.attention"
  const PluginSchema* plugin;
  const Json* options;  // of the configuration: its own and its name
};

/// In the order of the options. Requires: `config` is complete and typed (core/config/check.h or
/// write_options).
std::vector<ChosenPlugin> plugins_chosen(const Json& config, const OptionsSchema& options,
                                         const Schema& schema);

/// "attention/dense": revision, for every plug-in that `config` names and whose revision is above
/// 1.
std::map<std::string, int> revisions_used(const Json& config, const OptionsSchema& options,
                                          const Schema& schema);

/// "attention/dense": hash of its code, for every plug-in that `config` names and whose code is known.
std::map<std::string, std::string> code_used(const Json& config, const OptionsSchema& options,
                                             const Schema& schema);

/// What a sweep writes, without quotes, instead of a number (FieldBuilder::may_follow_seed):
/// `mask.seed: seed` means the seed of each trial. A checked configuration keeps the word until a plan
/// knows the seed.
constexpr const char* kSeedWord = "seed";

/// One option of a configuration that has the word.
struct SeedOption {
  std::string name;  // "model.attention.mask.seed", "model.attention.at[0].mask.seed"
  Json::json_pointer place;
};

/// In the order of the options. `config` may lack options and may name plug-ins that `schema` does
/// not have, as an imported model can; nothing is found in these.
std::vector<SeedOption> seed_options(const Json& config, const OptionsSchema& options,
                                     const Schema& schema);

/// `config` with the number in place of the word.
Json with_seed(Json config, const std::vector<SeedOption>& options, int64_t seed);

}  // namespace rethink
