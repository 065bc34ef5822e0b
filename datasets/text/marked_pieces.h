// Words that subword-nmt cut into pieces (Sennrich et al., 2016), as fairseq's scripts leave them:
// "@@" stands behind each piece that its word goes on after, as in "bel@@ len".
#pragma once

#include <string>
#include <string_view>

namespace rethink {

inline constexpr std::string_view kPieceMark = "@@";

/// The line with its words whole again, "bellen", joined as fairseq does.
std::string without_piece_marks(std::string_view line);

}  // namespace rethink
