// Options that follow the trial's seed. In a sweep `mask.seed: seed` means the seed of each trial; a
// checked configuration keeps the word until a plan knows the seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/config/schema.h"
#include "core/json.h"

namespace rethink {

/// What a sweep writes, without quotes, instead of a number (FieldBuilder::may_follow_seed).
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
