// Sheets (plots/sheet.h) of tables and of claims.
#pragma once

#include <string>
#include <vector>

#include "plots/claim/claim.h"
#include "plots/sheet.h"
#include "plots/table/table.h"

namespace rethink {

/// Boxes that no row fills are left out: a table without paper has no column for it. Every text is
/// one line.
Sheet make_sheet(const Table& table);
Sheet make_sheet(const std::vector<ClaimResult>& claims);
/// The same as a paper prints a table: no letters of footnotes, and, where the paper whose table it is gives no numbers,
/// no word that tells ours from its numbers. A column of one box then has its name alone.
Sheet bare_sheet(Sheet sheet);

/// "18 hold, 1 fails, 41 undecided (9 wait for trials)".
std::string verdicts_text(const std::vector<ClaimResult>& claims);
/// The same of each file of claims: "bet: 2 hold, ...; sparsebert: 18 hold, ...".
std::string verdicts_by_file(const std::vector<ClaimResult>& claims);

/// "a" and "b" side by side as long as a column's group lasts: group, first box, number of boxes.
struct HeaderGroup {
  std::string text;
  size_t first = 0, count = 0;
};
std::vector<HeaderGroup> header_groups(const Sheet& sheet);

}  // namespace rethink
