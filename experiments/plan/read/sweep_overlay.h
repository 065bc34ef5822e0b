// The pass "overlay" of planning: used stages, profiles, --set and --seeds, merged over the files
// that the pass "read" returned.
#pragma once

#include <set>
#include <string>

#include "experiments/plan/read/sweep_file.h"

namespace rethink {

/// Error: the sweep lacks the chosen profile.
struct UnknownProfile : ConfigError {
  using ConfigError::ConfigError;
};

/// Returns the sweep that the files and the command line describe together. The layers, each over
/// the ones before: a used file's stages, that file's profile, the changes beside `use`; the using
/// file's own stages and profile; --set, in order, and --seeds. `left_alone` has the places
/// (SpreadSetting::place) of stages that lack the option of a --set. Throws UnknownProfile.
SweepSpec overlay_sweep(const WrittenSweep& written, const PlanChoices& choices,
                        const Schema& schema, const std::set<std::string>& left_alone,
                        Problems& problems);

/// Sets `value`, or each value below a map, at `dotted` among settings such as `resources`.
void put_setting(Yaml& settings, const std::string& dotted, const Yaml& value,
                 const Position& where);

}  // namespace rethink
