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

/// The path of an option in a configuration. It is a chain that becomes text only in messages,
/// since plans read tens of thousands of configurations.
struct OptionPath {
  const OptionPath* parent = nullptr;
  std::string_view name = {};        // as written; the outermost may be dotted or empty
  std::optional<size_t> index = {};  // an element of the list `parent`, without a name

  std::string text() const;         // "model.attention.at[0].mask"
  std::string option_text() const;  // the same without elements: "model.attention.at.mask"
  Json::json_pointer pointer() const;
};

/// Returns `config` without fields that are not part of an identity: fields that are not hashed, and
/// fields equal to the value that their absence means. Requires: `config` is complete and typed
/// (core/config/check.h or write_options).
Json hashed_part(const Json& config, const OptionsSchema& options, const Schema& schema);

/// A plug-in that a configuration names, and the dotted path of the option that names it.
struct ChosenPlugin {
  std::string path;  // "model.attention"
  const PluginSchema* plugin;
  const Json* options;  // the plug-in's options in the configuration, with its name
};

/// Returns the chosen plug-ins in the order of the options. Requires: `config` is complete and
/// typed (core/config/check.h or write_options).
std::vector<ChosenPlugin> plugins_chosen(const Json& config, const OptionsSchema& options,
                                         const Schema& schema);

/// Returns revisions above 1 of the plug-ins that `config` names: {"attention/dense": 2}.
std::map<std::string, int> revisions_used(const Json& config, const OptionsSchema& options,
                                          const Schema& schema);

/// Returns known hashes of the code of the plug-ins that `config` names, by "attention/dense".
std::map<std::string, std::string> code_used(const Json& config, const OptionsSchema& options,
                                             const Schema& schema);

/// The word `seed` in place of a number (FieldBuilder::may_follow_seed): `mask.seed: seed` means
/// the seed of each trial. A checked configuration keeps the word until a plan knows the seed.
constexpr const char* kSeedWord = "seed";

/// An option whose value in a configuration is the word.
struct SeedOption {
  std::string name;  // "model.attention.mask.seed", "model.attention.at[0].mask.seed"
  Json::json_pointer place;
};

/// Returns these options in order. Options and plug-ins that `schema` lacks, as in an imported
/// model, are skipped.
std::vector<SeedOption> seed_options(const Json& config, const OptionsSchema& options,
                                     const Schema& schema);

/// Returns `config` with the number `seed` in place of the word.
Json with_seed(Json config, const std::vector<SeedOption>& options, int64_t seed);

}  // namespace rethink
