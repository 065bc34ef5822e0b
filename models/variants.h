// What the attention variants of a model say of themselves, whichever layers they are in.
#pragma once

#include <string>
#include <vector>

#include "models/options.h"

namespace rethink {

/// Those that some layer may have, by name.
std::vector<std::string> variants_of(const AttentionChoice& attention);

/// Whether one of them has the fact {"minds_padding": true}: padding that stands behind all that is
/// predicted changes what it learns or gives, so that a decoder must tell it what is padding.
bool minds_padding(const AttentionChoice& attention);

}  // namespace rethink
