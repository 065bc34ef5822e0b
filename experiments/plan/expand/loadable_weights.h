// Whether a model can begin with the weights of another one.
#pragma once

#include <string>
#include <vector>

#include "core/config/schema.h"

namespace rethink {

/// The options below `field` that say which weights there are (Field::shapes) and differ between
/// two of its values so that one cannot load what the other left: "layers", "attention.kind". A
/// plug-in loads those of any with the same fact "weights"; what it has beyond them begins fresh.
std::vector<std::string> unlike_shapes(const Field& field, const Json& now, const Json& then,
                                       const Schema& schema);

}  // namespace rethink
