// A stream that a batch reads at several places at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rethink {

/// The batches of one pass over a stream of `segments`, as indices of these. The stream is cut into
/// `lanes` contiguous parts, whose lengths differ by one at most, and row r of a batch is the segment
/// behind row r of the batch before it. Every segment stands in exactly one batch; the last one may
/// have fewer rows, the first ones of the others.
std::vector<std::vector<uint32_t>> lane_batches(size_t segments, int64_t lanes);

}  // namespace rethink
