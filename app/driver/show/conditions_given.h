// --where of the commands that ask the store.
#pragma once

#include <string>

#include "app/driver/command.h"
#include "results/store/store.h"

namespace rethink {

/// Declares --where, which may be repeated; `what` says which trials.
void declare_conditions(po::options_description& options, const std::string& what);

/// All conditions given, joined by "and"; empty: none. Throws ConfigError with the place of a
/// mistake in one of several.
std::string conditions_given(Store& store, const po::variables_map& given);

}  // namespace rethink
