// The papers' own numbers in the specs of this repository: tests/golden/paper_values.txt, whose
// lines were compared with the papers digit by digit. A new spec adds lines, RETHINK_UPDATE_GOLDEN=1
// writes them; one that changes or goes is a mistake, or a change to be compared again.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "plots/figure.h"
#include "plots/spec.h"
#include "tests/support/golden.h"

namespace rethink::test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> specs_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

/// "table sparsebert/table3 | BigBird | CoLA | 50.1", a line each.
std::string lines_of(const std::string& kind, const std::string& name,
                     const std::vector<PaperEntry>& entries) {
  std::string text;
  for (const PaperEntry& entry : entries) {
    text += fmt::format("{} {} | {} | {} | {}\n", kind, name, entry.row.text, entry.column.text,
                        entry.value.text);
  }
  return text;
}

TEST(PaperValues, AreThoseThatWereComparedWithThePapers) {
  const fs::path plots = fs::path(RETHINK_SOURCE_DIR) / "plots";
  std::string text;
  for (const fs::path& file : specs_below(plots / "tables")) {
    const TableSpec spec = read_table_spec(file);
    text += lines_of("table", spec.name, spec.paper);
  }
  for (const fs::path& file : specs_below(plots / "figures")) {
    const FigureSpec spec = read_figure_spec(file);
    text += lines_of("figure", spec.name(), spec.points.paper);
    text += lines_of("figure", spec.name(), spec.lines.paper);
    text += lines_of("figure", spec.name(), spec.paper_points);
  }
  EXPECT_THAT(lost_golden_lines("paper_values.txt", text), testing::IsEmpty());
}

}  // namespace
}  // namespace rethink::test
