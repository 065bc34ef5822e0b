// The papers' own numbers in the specs of this repository, in tests/golden/paper_values.txt, whose lines
// were compared with the papers digit by digit. A new spec adds lines; RETHINK_UPDATE_GOLDEN=1 writes
// them. A line that changes or disappears is a mistake, or must be compared again.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "plots/claim/claim.h"
#include "plots/figure/figure.h"
#include "plots/table/kinds/word_table_spec.h"
#include "plots/table/table_kind.h"
#include "plots/table/table_spec.h"
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

/// Returns lines such as "table sparsebert/table3 | BigBird | CoLA | 50.1".
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
    if (read_table_file(file).kind) {
      Problems problems;
      const WordTableSpec spec = read_word_table_spec(read_yaml(file, problems), file, problems);
      for (const PaperWords& paper : spec.paper) {
        text += fmt::format("table {} | {} | {} | {}\n", spec.models.name, paper.row.text,
                            paper.column.text, fmt::join(paper.words, ", "));
      }
      continue;
    }
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

/// Returns the number that a paper prints in a cell; for a mean that it does not print, the mean of its parts.
std::optional<double> printed(const TableSpec& table, const std::string& row,
                              const std::string& column) {
  const auto found = std::ranges::find_if(table.paper, [&](const PaperEntry& entry) {
    return entry.row.text == row && entry.column.text == column;
  });
  if (found != table.paper.end()) return found->value.value;
  const auto line = std::ranges::find(table.columns, column, &LineSpec::label);
  if (line == table.columns.end() || line->kind != CellKind::mean_of) return std::nullopt;
  double sum = 0;
  for (const Word& part : line->of) {
    const std::optional<double> value = printed(table, row, part.text);
    if (!value) return std::nullopt;
    sum += *value;
  }
  return sum / static_cast<double>(line->of.size());
}

/// Returns the mean of the values; nothing if the paper lacks a value.
std::optional<double> printed(const TableSpec& table, const std::vector<std::string>& rows,
                              const std::string& column) {
  double sum = 0;
  for (const std::string& row : rows) {
    const std::optional<double> value = printed(table, row, column);
    if (!value) return std::nullopt;
    sum += *value;
  }
  return sum / static_cast<double>(rows.size());
}

/// Returns the rows that the paper compares; under not_below the least of the rows that are not below, if any.
std::vector<std::string> compared_rows(const TableSpec& table, const ClaimSpec& claim) {
  if (claim.not_below.empty()) return claim.row;
  const std::optional<double> bar = printed(table, claim.than, claim.not_below);
  if (!bar) return claim.row;
  std::map<double, std::string> fitting;
  for (const std::string& row : claim.row) {
    const double value = printed(table, {row}, claim.not_below).value_or(0);
    if (value >= *bar) fitting[value] = row;
  }
  return fitting.empty() ? std::vector<std::string>() : std::vector{fitting.begin()->second};
}

/// Returns the share that a token would give itself in uniform attention, by the paper's CA and HA of
/// a layer. Rows of N tokens sum to 1, so CA + HA (N - 1) / 2 = 1, and the mean of 1/1, 1/2, ...,
/// 1/N is H_N / N.
std::optional<double> even_share(const TableSpec& table, const std::vector<std::string>& rows) {
  const std::optional<double> current = printed(table, rows, "CA"),
                              history = printed(table, rows, "HA(\u03bc)");
  if (!current || !history) return std::nullopt;
  const double tokens = 1 + 2 * (1 - *current) / *history;
  return (std::log(tokens) + std::numbers::egamma) / tokens;
}

/// If a paper's own numbers contradict its sentence, our claim misreads this sentence.
TEST(PaperValues, AgreeWithTheClaims) {
  const fs::path plots = fs::path(RETHINK_SOURCE_DIR) / "plots";
  size_t tested = 0;
  std::vector<std::string> incomparable, contradicted;
  for (const fs::path& file : specs_below(plots / "claims")) {
    for (const ClaimSpec& claim : read_claims_spec(file).claims) {
      const bool even = claim.than_column == "CA, even";
      if (!claim.compares_rows() || claim.columns.empty() || (!claim.than_column.empty() && !even))
        continue;
      const TableSpec table = read_table_spec(plots / "tables" / fs::path(claim.table + ".yaml"));
      const std::vector<std::string> rows = compared_rows(table, claim);
      if (rows.empty()) {
        incomparable.push_back(claim.name);
        continue;
      }
      for (const std::string& column : claim.columns) {
        const std::optional<double> row = printed(table, rows, column),
                                    than = even ? even_share(table, rows)
                                                : printed(table, claim.than, column);
        if (!row || !than) continue;
        ++tested;
        const bool least =
            (claim.direction == Direction::unknown ? table.direction : claim.direction) ==
            Direction::min;
        const double gain = least ? *than - *row : *row - *than;
        const double bar = claim.test->has_margin ? -claim.margin : 1e-9;
        if (gain < bar) contradicted.push_back(claim.name + ", " + column);
      }
    }
  }
  EXPECT_GT(tested, 40u);
  // The paper's claim holds for all nine tasks. For the five of small scale it fails by 0.1, and for four
  // of these without RTE by 0.5.
  EXPECT_THAT(contradicted,
              testing::ElementsAre("dam_bigbird, Mean of 5", "neighbours_only_worst, Mean of 4"));
  EXPECT_THAT(incomparable, testing::ElementsAre("dam_star"));
}

}  // namespace
}  // namespace rethink::test
