// Applies profiles, --set and --seeds to a sweep file after it was read.
#pragma once

#include <set>
#include <string>

#include "experiments/plan/read/sweep_file.h"

namespace rethink {

/// Merges a profile, an entry of 'profiles', over the sweep of its file.
void overlay_profile(SweepSpec& sweep, const Yaml& profile, const Schema& schema,
                     Problems& problems);

/// Merges --set, in order, and --seeds over the sweep and everything that it uses. `left_alone`
/// gets positions in SweepSpec::spread whose stages lack the option.
void overlay_choices(SweepSpec& sweep, const PlanChoices& choices, const Schema& schema,
                     const std::set<std::string>& left_alone, Problems& problems);

/// Sets `value`, or each value below a map, at `dotted` among settings such as `resources`.
void put_setting(Yaml& settings, const std::string& dotted, const Yaml& value,
                 const Position& where);

}  // namespace rethink
