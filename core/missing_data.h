// What to do about files of a data set that are not there.
#pragma once

#include <string>

#include "core/json_fwd.h"

namespace rethink {

/// "run `rethink data get NAME`"; or, by the data set's facts, the Debian package that brings the
/// files ("package"), or what to do by hand ("by_hand").
std::string how_to_get_data(const std::string& dataset, const Json& facts);

}  // namespace rethink
