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

// Columns of a terminal: a Chinese letter takes two, a combining accent none (Unicode's
// East_Asian_Width and general categories, from ICU).

/// Returns the columns of `text`, a line without control characters.
size_t width_of(std::string_view text);

/// Returns the bytes of the longest beginning that takes at most `columns`, without splitting
/// letters from their accents.
size_t bytes_within(std::string_view text, size_t columns);

/// Returns the words of `text` in lines of at most `most` columns of a terminal; a longer word has its own line.
std::vector<std::string> wrapped(const std::string& text, size_t most);
/// Does the same with `measure` for the length of a line.
std::vector<std::string> wrapped(const std::string& text, double most,
                                 double (*measure)(const std::string&));

/// Returns `text` padded with spaces to `width` columns of a terminal, in front if `right`, else
/// behind.
std::string padded(const std::string& text, size_t width, bool right);

/// Returns `value` with so many decimals, from a trillion on as "1.6e+92"; "-0.00" becomes "0.00".
/// With `sign`: "+0.31".
std::string fixed(double value, int64_t decimals, bool sign = false);

/// Returns `text` with each character in `replace` replaced.
std::string escaped(const std::string& text,
                    const std::vector<std::pair<std::string, std::string>>& replace);

// Comma-separated values by RFC 4180, as pandas and R read them.

/// Returns the fields, separated by commas and followed by "\n". A field with a comma, a quote or a
/// line end is quoted, and so is a single blank field, since programs skip blank lines.
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace rethink
