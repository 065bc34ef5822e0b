// Texts whose words carry the tags of entities, in the columns of CoNLL's shared tasks (Tjong Kim
// Sang and De Meulder, 2003): a word a line, the word first and its tag last, sentences parted by
// empty lines. Columns are parted by white space or, where at least half of the lines have a tab, by
// tabs alone. Files in the manner of CoNLL-U (GermEval 2014, Universal NER) have comments (#) before
// sentences and the number of a word before it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/error.h"

namespace rethink {

struct TaggedSentence {
  std::vector<std::string> words;
  std::vector<std::string> tags;  // as many: "O", "B-PER", "I-PER", "E-PER", "S-PER", or "B"
  int line = 0;                   // of its first word
};

/// Rule for a file whose first column numbers the words of each sentence: read the word in the
/// second column, or refuse the file.
enum class WordNumbers { read, refuse };

/// The sentences of a file; lines that begin with -DOCSTART- part documents and are passed over, and
/// so are comments before a sentence and lines of a numbered file that are no word of their own ("3-4",
/// "8.1"). `column`: of the tag, from 1; 0 = the last, -1 = the one before the last. Throws ConfigError
/// with the place of up to 20 flaws: a line of another number of columns than most, without that
/// column or with one alone, without a word, with another number than the word's, a tag of another
/// form; and when it is not a file, is not UTF-8, or has no word.
std::vector<TaggedSentence> read_conll(const std::filesystem::path& file, int64_t column = 0,
                                       WordNumbers numbers = WordNumbers::read);

}  // namespace rethink
