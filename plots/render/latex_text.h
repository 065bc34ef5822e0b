// Escapes text for LaTeX: its special characters, and letters that LaTeX writes in mathematics.
// Reads the mathematics that labels and titles of specs contain.
#pragma once

#include <string>
#include <vector>

namespace rethink {

/// Returns `text` for LaTeX, on one line. Letters that need another font stay (latex_letters_note).
std::string latex_text(const std::string& text);

/// Returns a label or title of a spec for LaTeX, on one line. Mathematics stays as it is written,
/// "$\lambda_1$"; the rest is as by latex_text. Mathematics begins and ends at a dollar sign, without
/// blanks at its ends and without letters or digits next to it; it has a backslash, ^ or _, and its
/// braces are balanced. "$5 and $6" is text.
std::string latex_label(const std::string& text);

/// Returns a label or title of a spec for other formats: "λ_1" for "$\lambda_1$".
std::string without_mathematics(const std::string& text);

/// Returns `name` for \label and \ref. Bytes that may mean something to LaTeX, and bytes of letters
/// outside ASCII, become + and two hexadecimal digits, so that different names stay different.
std::string latex_key(const std::string& name);

/// Returns `row`, LaTeX text, for the beginning of a table's row. Directly after `\\` or a rule,
/// LaTeX would read a bracket as a length and a star as a modifier.
std::string latex_first(const std::string& row);

/// Returns a tabular for booktabs, without a line end after it. `columns` are LaTeX's column types, `header`
/// the lines above the rule, with their ends, and `rows` the cells of each row with " & " between them.
std::string latex_tabular(const std::string& columns, const std::string& header,
                          const std::vector<std::string>& rows);

/// Returns a comment that says how to compile `text`, LaTeX text, if it has letters that pdflatex
/// lacks (Chinese, Cyrillic, emoji); else "".
std::string latex_letters_note(const std::string& text);

}  // namespace rethink
