// Restores plain text from tokens: of Moses' tokenizer (detokenized), and of subword-nmt, which
// cuts words into pieces (kPieceMark, without_piece_marks).
//
// Moses' tokens are joined as in its scripts/tokenizer/detokenizer.perl and in sacremoses 0.2.0
// (MosesDetokenizer). Where the two differ, this file follows sacremoses:
// - any white space separates tokens (the script: only spaces, and two spaces have an empty token
//   between them);
// - English 's and similar endings join any token before them (the script: only letters and digits);
// - every line is text (the script leaves lines that begin with < and end with > as they are).
// Like Perl, this file lets ICU decide what is a letter or a sign of currency; sacremoses' lists
// are older and lack the bitcoin sign. Like both, it assumes that quotation marks come in pairs,
// except U+201D, which Moses' normalize-punctuation.perl replaces by ".
#pragma once

#include <string>
#include <string_view>

namespace rethink {

/// Language of the rules: German has only the common rules, English also those of apostrophes.
enum class MosesLanguage { english, german };

/// Returns plain text with one space between words. `line` has tokens with spaces between them,
/// escaped (&apos;) or not; @-@ means a hyphen between two tokens.
std::string detokenized(const std::string& line, MosesLanguage language);

/// The mark by which subword-nmt ends each piece that does not end its word (Sennrich et al.,
/// 2016), as fairseq's scripts leave it: "bel@@ len".
inline constexpr std::string_view kPieceMark = "@@";

/// Returns the line with whole words ("bellen"), joined as fairseq does.
std::string without_piece_marks(std::string_view line);

}  // namespace rethink
