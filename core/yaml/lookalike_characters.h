// Detection of characters that look like a space, like nothing, or like a sign of YAML or of
// numbers. Web pages, chats and word processors put them into text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace rethink {

struct OddBlank {
  std::string_view bytes;  // in UTF-8
  const char* name;        // "a no-break space (U+00A0)"
  const char* what;        // "which is no space" or "which cannot be seen"
};

struct FoundBlank {
  size_t at = 0;  // byte offset in the text
  const OddBlank* blank = nullptr;
};

/// Returns the first odd blank of `text`. A character that a script or an emoji needs is skipped: a
/// joiner or a variation selector within an emoji, a joiner after a letter of an Arabic, Indic or
/// Mongolian script, a direction mark beside a right-to-left letter.
std::optional<FoundBlank> find_odd_blank(std::string_view text);

/// Returns the odd blank at the beginning of `text`, or else at its end.
std::optional<FoundBlank> find_outer_blank(std::string_view text);

/// Returns `text` without odd blanks, spaces and tabs at both ends.
std::string_view without_outer_blanks(std::string_view text);

/// Returns "\n  column 3 has a no-break space (U+00A0), which is no space" for the first odd blank
/// of a line; "" if there is none.
std::string odd_blank_in(std::string_view line);

/// Returns "which has typographic quotes around it" for a text that begins and ends with such
/// quotes, as word processors write them; "" for any other text.
std::string typographic_quotes_around(std::string_view text);

/// Returns "\n  column 6 has a full-width colon (U+FF1A), which is no ':'" for the first such sign
/// of a line of YAML where the plain sign could be meant; "" if there is none. Plain quotes and
/// comments are skipped.
std::string lookalike_sign_in(std::string_view line);

}  // namespace rethink
