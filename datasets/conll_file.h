// Texts whose words carry the tags of entities, in the columns of CoNLL's shared tasks (Tjong Kim
// Sang and De Meulder, 2003): a word a line, the word first and its tag last, columns parted by
// spaces or, in a file that has tabs, by tabs alone, sentences by empty lines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/error.h"

namespace rethink {

struct TaggedSentence {
  std::vector<std::string> words;
  std::vector<std::string> tags;  // as many: "O", "B-PER", "I-PER", "E-PER", "S-PER"
  int line = 0;                   // of its first word
};

/// The sentences of a file; lines that begin with -DOCSTART- part documents and are passed over.
/// `column`: of the tag, from 1; 0 = the last, -1 = the one before the last. Throws ConfigError with
/// the place of up to 20 flaws: a line of another number of columns than the first, without that
/// column or with one alone, without a word, a tag of another form; and when it is not a file, is not UTF-8, or has no word.
std::vector<TaggedSentence> read_conll(const std::filesystem::path& file, int64_t column = 0);

}  // namespace rethink
