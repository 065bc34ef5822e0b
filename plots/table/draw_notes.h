// Notes on what the numbers of a table cover besides their seeds.
#pragma once

#include <string>
#include <vector>

#include "plots/table/table.h"

namespace rethink {

/// Which rows have a draw of its own for each seed, and of which rows the number of each seed is a mean
/// over several draws; then which stages behind these have fewer seeds than the cells. Empty where no
/// cell with a number has such trials. Requires: the cells of `table` are measured.
std::vector<std::string> notes_on_draws(const Table& table, const TableSpec& spec,
                                        const Grid& grid);

}  // namespace rethink
