// Signs that look like those of YAML and of numbers, as word processors and other keyboards write them:
// quotes, a full-width colon or comma, a minus sign.
#pragma once

#include <string>
#include <string_view>

namespace rethink {

/// "which has typographic quotes around it" for a text that begins and ends with such quotes, as word
/// processors write them; "" for any other.
std::string typographic_quotes_around(std::string_view text);

/// "\n  column 6 has a full-width colon (U+FF1A), which is no ':'" for the first such sign of a line of
/// YAML where the plain one could be meant; "" where there is none, or within plain quotes or a comment.
std::string lookalike_sign_in(std::string_view line);

}  // namespace rethink
