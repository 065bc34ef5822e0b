// Columns of a terminal: a Chinese letter takes two, an accent that combines with the letter before
// it takes none (Unicode's East_Asian_Width and general categories, as ICU has them).
#pragma once

#include <string>
#include <string_view>

namespace rethink {

/// Columns that `text` takes, a line without control characters.
size_t width_of(std::string_view text);

/// Bytes of the longest beginning that takes at most `columns`; letters are kept whole, with the
/// accents behind them.
size_t bytes_within(std::string_view text, size_t columns);

}  // namespace rethink
