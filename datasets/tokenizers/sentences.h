// Splits English text into sentences as NLTK's pre-trained Punkt does (Kiss & Strunk, "Unsupervised
// multilingual sentence boundary detection", 2006): at '.', '?' and '!', but not after an
// abbreviation, an initial, or a number that a lower-case word follows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rethink {

/// The sentences, without the white space between them.
std::vector<std::u32string> split_sentences(std::u32string_view text);

}  // namespace rethink
