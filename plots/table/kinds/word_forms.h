// Converts a table of words to every form that renderers take.
#pragma once

#include "plots/table/kinds/word_table.h"
#include "plots/table/table_kind.h"

namespace rethink {

/// The sheet has sentences, their targets in brackets, and words of the first seed that has some, with their weights;
/// CSV a line for each word, of each seed and of the paper, and one for a cell that has none.
KindTable in_every_form(const WordTable& table);

}  // namespace rethink
