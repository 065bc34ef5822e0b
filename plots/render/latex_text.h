// Escapes text for LaTeX: its special characters, and letters that LaTeX writes in mathematics.
#pragma once

#include <string>

namespace rethink {

/// Returns `text` for LaTeX, on one line. Letters that need another font stay (latex_letters_note).
std::string latex_text(const std::string& text);

/// Returns `name` for \label and \ref. Bytes that may mean something to LaTeX, and bytes of letters
/// outside ASCII, become + and two hexadecimal digits, so that different names stay different.
std::string latex_key(const std::string& name);

/// Returns `row`, LaTeX text, for the beginning of a table's row. Directly after `\\` or a rule,
/// LaTeX would read a bracket as a length and a star as a modifier.
std::string latex_first(const std::string& row);

/// Returns a comment that says how to compile `text`, LaTeX text, if it has letters that pdflatex
/// lacks (Chinese, Cyrillic, emoji); else "".
std::string latex_letters_note(const std::string& text);

}  // namespace rethink
