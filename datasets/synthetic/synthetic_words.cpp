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

int64_t synthetic_length(int64_t longest, PhiloxStream& random) {
  const int64_t shortest = longest / 2;
  return shortest +
         static_cast<int64_t>(random.below(static_cast<uint64_t>(longest - shortest + 1)));
}

std::vector<SyntheticSplit> synthetic_splits(int64_t train, const std::vector<const char*>& names) {
  std::vector<SyntheticSplit> splits;
  uint64_t begin = 0;
  for (const char* name : names) {
    const uint64_t end = begin + static_cast<uint64_t>(splits.empty() ? train : train / 10);
    splits.push_back({name, begin, end});
    begin = end;
  }
  return splits;
}

}  // namespace rethink
