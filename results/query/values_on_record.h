// Values that the trials of a store have under a name of a condition: whether a condition's value is
// among them, and what to say where it is not.
#pragma once

#include <string>
#include <vector>

#include "core/config/value_equality.h"
#include "results/query/where.h"

namespace rethink {

/// Refuses `name` SIGN `written`, SIGN one of < <= > >=, where trials have values under the name but
/// none that can be ordered with `written`: numbers beside text, or the reverse. Throws ConfigError
/// with the values.
void require_order(Store& store, const std::string& name, const SqlValue& value,
                   const std::string& sign, const WrittenValue& written);

/// "no trial has stage=nope; did you mean 'none'?; values of stage: ..." for each value that `where`
/// compares with = or `in` and that no trial has. Empty where `where` keeps a trial. Throws
/// ConfigError as parse_condition().
std::vector<std::string> values_of_no_trial(Store& store, const std::string& where);

}  // namespace rethink
