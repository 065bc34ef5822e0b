// Text for people and files: columns of a terminal, wrapped lines, numbers with fixed decimals,
// escaped characters, lines of CSV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rethink {

// Columns of a terminal: a Chinese letter takes two, an accent that combines with the letter before
// it takes none (Unicode's East_Asian_Width and general categories, as ICU has them).

/// Columns that `text` takes, a line without control characters.
size_t width_of(std::string_view text);

/// Bytes of the longest beginning that takes at most `columns`; letters are kept whole, with the
/// accents behind them.
size_t bytes_within(std::string_view text, size_t columns);

/// Words of `text` in lines of at most `most` columns of a terminal; a longer word has a line of its own.
std::vector<std::string> wrapped(const std::string& text, size_t most);
/// Does the same with `measure` for the length of a line.
std::vector<std::string> wrapped(const std::string& text, double most,
                                 double (*measure)(const std::string&));

/// Returns `text` padded with spaces to `width` columns of a terminal, in front if `right`, else
/// behind.
std::string padded(const std::string& text, size_t width, bool right);

/// `value` with so many decimals, beyond a trillion as "1.6e+92"; "-0.00" is "0.00". With `sign`:
/// "+0.31".
std::string fixed(double value, int64_t decimals, bool sign = false);

/// `text` with each of the characters that `replace` knows replaced.
std::string escaped(const std::string& text,
                    const std::vector<std::pair<std::string, std::string>>& replace);

// Comma-separated values as RFC 4180 has them, for pandas and R alike.

/// The fields with commas between them and "\n" behind: in quotes where one holds a comma, a quote or
/// a line end, and where it is alone and blank, as programs skip a blank line.
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace rethink
