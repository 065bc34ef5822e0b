// What fills a page of an SQLite database: cells, free blocks and gaps.
#pragma once

#include <cstdint>
#include <string_view>

namespace rethink {

/// Whether the page of a table or an index has all of its cells and free blocks up to its end, so that
/// zeros there are free room and not what a disk lost. `page`: its bytes without those that
/// SQLite leaves alone; `number`: from 1. False for a page of another kind.
bool has_all_cells(std::string_view page, int64_t number);

}  // namespace rethink
