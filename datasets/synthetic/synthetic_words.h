// Made-up words that can be spoken, for synthetic texts: vocabularies of pieces can be trained on
// them as on a language.
#pragma once

#include <cstdint>
#include <string>

namespace rethink {

/// The word of a number: syllables of a consonant and a vowel, at least two, another for every
/// number.
std::string synthetic_word(uint64_t number);

}  // namespace rethink
