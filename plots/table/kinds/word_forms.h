// Converts a table of words to every form that renderers accept.
#pragma once

#include "plots/table/kinds/word_table.h"
#include "plots/table/table_kind.h"

namespace rethink {

/// Returns all forms. The sheet has sentences, with targets in brackets, and the words, with weights, of the first seed
/// that has words. CSV has a line for each word, of each seed and of the paper, and a line for a cell without words.
KindTable in_every_form(const WordTable& table);

}  // namespace rethink
