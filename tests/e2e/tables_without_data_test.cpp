// The papers' tables without any trial and without data. Each table appears, with every number that its
// paper prints.
#include <gmock/gmock.h>

#include <map>
#include <sstream>

#include "tests/e2e/shipped_sweeps.h"

namespace rethink {
namespace {

class TablesWithoutData : public ShippedSweeps {
 protected:
  ProgramResult tables(const std::string& format) const {
    fs::create_directories(folder_ / "nothing");
    return run_program(
        {.words = {kPrograms / "rethink", "table", "--all", "--format", format, "--store", "store"},
         .input = "",
         .folder = folder_ / "nothing",
         .environment = {{"RETHINK_PROGRAMS", kPrograms},
                         {"RETHINK_DATA", ""},
                         {"XDG_CACHE_HOME", folder_ / "cache"}}});
  }
};

/// Returns the fields of a line of CSV.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

/// Returns the number of cells in each table that have a number from its paper.
std::map<std::string, size_t> printed_cells(const std::string& csv) {
  constexpr size_t kPaper = 11, kPaperMark = 12, kFields = 24;
  std::map<std::string, size_t> cells;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> fields = fields_of(line);
    size_t& count = cells[fields[0]];
    if (fields.size() != kFields || fields[0] == "table") continue;  // a table of words
    if (!fields[kPaper].empty() && fields[kPaperMark] != "computed") ++count;
  }
  return cells;
}

/// Returns how many numbers of each table are in tests/golden/paper_values.txt.
std::map<std::string, size_t> golden_numbers() {
  std::map<std::string, size_t> numbers;
  std::istringstream lines(
      read_text(fs::path(RETHINK_SOURCE_DIR) / "tests/golden/paper_values.txt"));
  for (std::string line; std::getline(lines, line);) {
    const std::string table = "table ";
    if (line.starts_with(table))
      ++numbers[line.substr(table.size(), line.find(" |") - table.size())];
  }
  return numbers;
}

TEST_P(TablesWithoutData, HaveEveryNumberOfThePapers) {
  const ProgramResult all = tables("csv");
  EXPECT_EQ(all.status, 1) << all.error;
  EXPECT_THAT(all.error, testing::Not(testing::HasSubstr("left out")));
  const std::map<std::string, size_t> shown = printed_cells(all.output);
  std::set<std::string> lacking;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(RETHINK_SOURCE_DIR) / "plots/tables")) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string name = entry.path().parent_path().filename() / entry.path().stem();
    if (!shown.contains(name)) lacking.insert(name);
  }
  EXPECT_THAT(lacking, testing::IsEmpty());
  for (const auto& [table, numbers] : golden_numbers()) {
    const bool is_of_words = table == "bet/table3";
    if (is_of_words) continue;
    EXPECT_EQ(shown.at(table), numbers) << table;
  }
  EXPECT_THAT(tables("text").output, testing::HasSubstr("needs data: `rethink data get "));
}

/// Other values of lambda give rows beside the paper's, which a store may have trained before.
TEST_P(TablesWithoutData, HaveRowsOfLambdasOfOnesOwn) {
  const auto rows_of = [&](const std::string& table, const std::string& lambdas) {
    fs::create_directories(folder_ / "nothing");
    const ProgramResult result = run_program(
        {.words = {kPrograms / "rethink", "table", table, "--profile", "smoke", "--format", "csv",
                   "--set", "stages.search.model.attention.lambda=" + lambdas},
         .input = "",
         .folder = folder_ / "nothing",
         .environment = {{"RETHINK_PROGRAMS", kPrograms},
                         {"RETHINK_DATA", ""},
                         {"XDG_CACHE_HOME", folder_ / "cache"}}});
    EXPECT_EQ(result.status, 1) << result.error;
    std::set<std::string> rows;
    std::istringstream lines(result.output);
    for (std::string line; std::getline(lines, line);) rows.insert(fields_of(line).at(2));
    return rows;
  };
  for (const char* lambdas : {"[0.3]", "[0.0001, 0.3]"}) {
    const std::set<std::string> rows = rows_of("sparsebert/table3", lambdas);
    EXPECT_THAT(rows, testing::IsSupersetOf(
                          {"DAMu (λ=0.3)", "DAMs (λ=0.3)", "DAMu (λ=1e-4)", "BERT-base (ours)"}))
        << lambdas;
  }
  EXPECT_THAT(rows_of("sparsebert/table3", "[0.1]"),
              testing::Not(testing::Contains("DAMu (λ=0.3)")));
  EXPECT_THAT(rows_of("sparsebert/dam", "[0.3]"), testing::Contains("0.3"));
}

INSTANTIATE_TEST_SUITE_P(, TablesWithoutData, testing::ValuesIn(real_schemas()),
                         [](const auto&) { return "OfTheRealWorker"; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(TablesWithoutData);

}  // namespace
}  // namespace rethink
