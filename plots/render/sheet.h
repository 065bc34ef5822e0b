// Makes sheets (plots/sheet.h) from tables and claims.
#pragma once

#include <string>
#include <vector>

#include "plots/claim/claim.h"
#include "plots/sheet.h"
#include "plots/table/table.h"

namespace rethink {

/// Returns the sheet of a table. Boxes that no row fills are left out: a table without a paper has
/// no column for it. Every text is one line.
Sheet make_sheet(const Table& table);
Sheet make_sheet(const std::vector<ClaimResult>& claims);
/// Returns the sheet as a paper prints a table: without letters of footnotes, and, if the paper gives no numbers,
/// without the word that distinguishes our numbers from the paper's. A column of one box then has only its name.
Sheet bare_sheet(Sheet sheet);

/// Returns the sheet with title, labels, headers, footnotes and notes without LaTeX's mathematics.
/// The boxes stay: they may hold words of a text.
Sheet sheet_without_mathematics(Sheet sheet);

/// Returns "18 hold, 1 fails, 41 undecided (9 wait for trials)".
std::string verdicts_text(const std::vector<ClaimResult>& claims);
/// Returns the same for each file of claims: "bet: 2 hold, ...; sparsebert: 18 hold, ...".
std::string verdicts_by_file(const std::vector<ClaimResult>& claims);

/// Columns of one group: name, first box, number of boxes.
struct HeaderGroup {
  std::string text;
  size_t first = 0, count = 0;
};
std::vector<HeaderGroup> header_groups(const Sheet& sheet);

}  // namespace rethink
