// Numbers of entities in an artifact of kind "attention_map": what the analysis entity_attention writes of each token
// and figures of connections read.
#pragma once

#include <cstdint>

namespace rethink {

/// Value of a token: the number of its entity, from 1, or one of these.
inline constexpr int64_t kNoEntity = 0, kSpecialToken = -1;

}  // namespace rethink
