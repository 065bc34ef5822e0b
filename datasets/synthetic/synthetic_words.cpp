#include "datasets/synthetic/synthetic_words.h"

#include <string_view>

namespace rethink {

std::string synthetic_word(uint64_t number) {
  constexpr std::string_view kConsonants = "bdfgklmnprstvz", kVowels = "aeiou";
  constexpr uint64_t kSyllables = kConsonants.size() * kVowels.size();
  std::string word;
  // The lowest digit first, so that neighbours differ at their beginnings.
  while (word.size() < 4 || number > 0) {
    const uint64_t syllable = number % kSyllables;
    word += kConsonants[syllable / kVowels.size()];
    word += kVowels[syllable % kVowels.size()];
    number /= kSyllables;
  }
  return word;
}

}  // namespace rethink
