// Reader of texts with tagged entities in the columns of CoNLL's shared tasks (Tjong Kim Sang and
// De Meulder, 2003). A line has a word in its first column and the tag in its last. Empty lines
// separate sentences. White space separates columns, or only tabs if at least half of the lines
// have a tab. Files in the style of CoNLL-U (GermEval 2014, Universal NER) have comments (#) before
// sentences and a number before each word.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/error.h"

namespace rethink {

struct TaggedSentence {
  std::vector<std::string> words;
  std::vector<std::string> tags;  // one per word: "O", "B-PER", "I-PER", "E-PER", "S-PER", or "B"
  int line = 0;                   // of its first word
};

/// Rule for a file whose first column numbers the words of each sentence: read the word in the
/// second column, or refuse the file.
enum class WordNumbers { read, refuse };

/// Returns the sentences of a file. Lines that begin with -DOCSTART- separate documents and are
/// skipped. Comments before a sentence are skipped too, and so are lines of a numbered file that
/// are not words ("3-4", "8.1"). `column` is the column of the tag, from 1; 0 = the last, -1 = the
/// last but one. Throws ConfigError with the positions of up to 20 flaws: another number of columns
/// than most lines have, a missing column of the tag, only one column, a missing word, a wrong
/// number of a word, or a tag of another form. Also throws if the file does not exist, is not
/// UTF-8, or has no word.
std::vector<TaggedSentence> read_conll(const std::filesystem::path& file, int64_t column = 0,
                                       WordNumbers numbers = WordNumbers::read);

}  // namespace rethink
