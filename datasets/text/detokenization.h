// Tokenized text made plain again: of Moses' tokenizer (detokenized), and of subword-nmt, which cuts
// words into pieces (kPieceMark, without_piece_marks).
//
// Moses' text is put together as its scripts/tokenizer/detokenizer.perl does and, after it,
// sacremoses 0.2.0 (MosesDetokenizer). Where they differ it is sacremoses':
// - tokens stand between any white space (the script: between spaces, and two spaces have an empty
//   token between them);
// - English 's and the like go to whatever stands before them (the script: to letters and digits);
// - every line is text (the script leaves lines that begin with < and end with > as they are).
// What a letter or a sign of currency is, ICU says, as Perl does; sacremoses' lists are older and
// know no bitcoin. Like both it takes quotation marks to come in pairs, but U+201D for a word:
// Moses' normalize-punctuation.perl, where it was run first, has made " of it.
#pragma once

#include <string>
#include <string_view>

namespace rethink {

/// Language of the rules: German has only the common rules, English also those of apostrophes.
enum class MosesLanguage { english, german };

/// `line`: tokens with spaces between them, escaped (&apos;) or not; @-@ is a hyphen between two.
/// Returns text without white space but one space between words.
std::string detokenized(const std::string& line, MosesLanguage language);

/// Of words that subword-nmt cut into pieces (Sennrich et al., 2016), as fairseq's scripts leave
/// them: it stands behind each piece that its word goes on after, as in "bel@@ len".
inline constexpr std::string_view kPieceMark = "@@";

/// Returns the line with whole words ("bellen"), joined as fairseq does.
std::string without_piece_marks(std::string_view line);

}  // namespace rethink
