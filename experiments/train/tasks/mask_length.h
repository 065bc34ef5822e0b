// Masks of attention that are made for so many tokens (dam, importance, masked).
#pragma once

#include <cstdint>
#include <string>

#include "models/options.h"

namespace rethink {

/// For the data of which no rule of a job knows how long they are: the first long text may come
/// hours after the first step. Throws TrialError when a mask of the attention, which stands under
/// `key` in a sweep, is for fewer than `tokens`. `whose` are they: "the longest sequence, of dev,".
void require_mask_for_all(const AttentionChoice& attention, const std::string& key, int64_t tokens,
                          const std::string& whose);

}  // namespace rethink
