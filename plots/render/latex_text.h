// Escapes text for LaTeX: its special characters, and letters that LaTeX writes in mathematics.
#pragma once

#include <string>

namespace rethink {

/// `text` as LaTeX prints it, on one line. Letters that need a font of their own stay as they are:
/// latex_letters_note.
std::string latex_text(const std::string& text);

/// `name` as \label and \ref take it: bytes that may mean something to LaTeX, and those of letters
/// outside ASCII, become + and two hexadecimal digits, so that different names stay different.
std::string latex_key(const std::string& name);

/// `row`, LaTeX already, as the beginning of a table's row: after the `\\` or the rule before it a
/// bracket would be its length, and a star its own.
std::string latex_first(const std::string& row);

/// A comment that says how to compile `text`, LaTeX already, where it has letters that pdflatex does
/// not know (Chinese, Cyrillic, emoji); "" where there are none.
std::string latex_letters_note(const std::string& text);

}  // namespace rethink
