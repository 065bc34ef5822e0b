#include "app/driver/show/rows.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <optional>

#include "app/driver/cli/split_list.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/json.h"
#include "tests/support/temp_folder.h"
#include "tests/support/throws_code.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const QueryResult kRows{{"arm", "score"},
                        {{"Star", 0.123456789}, {"dense, full", 2}, {"A & B_c|\"d\"", nullptr}}};

TEST(Rows, StandAlignedAsTextWithNumbersToTheRight) {
  EXPECT_EQ(format_rows(kRows, "text"),
            "arm             score\n"
            "───────────  ────────\n"
            "Star         0.123457\n"
            "dense, full         2\n"
            "A & B_c|\"d\"\n");
}

TEST(Rows, CountColumnsNotBytes) {
  EXPECT_EQ(format_rows({{"x", "y"}, {{"注意", 1}, {"ab", 2}}}, "text"),
            "x     y\n────  ─\n注意  1\nab    2\n");
  EXPECT_EQ(format_rows({{"x", "y"}, {{"±", 1}, {"ab", 2}}}, "text"),
            "x   y\n──  ─\n±   1\nab  2\n");
}

TEST(Rows, EscapeMarksInMarkdown) {
  EXPECT_EQ(format_rows(kRows, "md"),
            "| arm           |    score |\n"
            "|---------------|---------:|\n"
            "| Star          | 0.123457 |\n"
            "| dense, full   |        2 |\n"
            "| A & B\\_c\\|\"d\" |          |\n");
}

TEST(Rows, KeepEveryValueOnOneLineButInCsvAndJson) {
  const QueryResult rows{{"arm"}, {{"B\tb\nc"}}};
  for (const char* format : {"text", "md", "latex"})
    EXPECT_THAT(format_rows(rows, format), HasSubstr("B b c")) << format;
  EXPECT_EQ(format_rows(rows, "csv"), "arm\n\"B\tb\nc\"\n");
  EXPECT_THAT(format_rows(rows, "json"), HasSubstr("B\\tb\\nc"));
}

TEST(Rows, KeepEveryDigitInCsvAndQuoteWhatNeedsIt) {
  EXPECT_EQ(format_rows(kRows, "csv"),
            "arm,score\nStar,0.123456789\n\"dense, full\",2\n\"A & B_c|\"\"d\"\"\",\n");
}

TEST(Rows, HaveInfinitiesAndLonelyNullsInCsv) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(format_rows({{"m"}, {{nullptr}, {2}, {kInfinity}, {-kInfinity}}}, "csv"),
            "m\n\"\"\n2\ninf\n-inf\n");
}

/// Returns the output of `program` for the file; nothing if the program is not installed.
std::optional<std::string> printed_by(const std::string& program, const std::string& csv) {
  const TempFolder folder;
  write_text(folder / "rows.csv", csv);
  const std::string out = (folder / "out").string();
  const std::string command =
      fmt::format("{} {} > {} 2>/dev/null", program, (folder / "rows.csv").string(), out);
  if (std::system(command.c_str()) != 0) return std::nullopt;
  return read_file(out);
}

TEST(Rows, AreReadBackByPandasAndR) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::string csv = format_rows(
      {{"text", "number"},
       {{"a,\"b\"\r\nc", 0.1}, {"plain", kInfinity}, {"", -kInfinity}, {"last", nullptr}}},
      "csv");
  const auto pandas = printed_by(
      "python3 -c 'import sys, pandas; t = pandas.read_csv(sys.argv[1]); print(len(t), "
      "repr(t.text[0]), *t.number)'",
      csv);
  const auto r = printed_by(
      "Rscript -e 't <- read.csv(commandArgs(TRUE)[1]); cat(nrow(t), nchar(t$text[1]), t$number)'",
      csv);
  EXPECT_EQ(pandas.value_or("4 'a,\"b\"\\r\\nc' 0.1 inf -inf nan\n"),
            "4 'a,\"b\"\\r\\nc' 0.1 inf -inf nan\n");
  // R reads the line end within quotes as one character.
  EXPECT_EQ(r.value_or("4 7 0.1 Inf -Inf NA"), "4 7 0.1 Inf -Inf NA");
  if (!pandas && !r) GTEST_SKIP() << "neither pandas nor R is here";
}

TEST(Rows, AreObjectsInJson) {
  const Json all = Json::parse(format_rows(kRows, "json"));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0], (Json{{"arm", "Star"}, {"score", 0.123456789}}));
  EXPECT_TRUE(all[2]["score"].is_null());
}

TEST(Rows, AreABooktabsTableInLatex) {
  const std::string text = format_rows({{"arm", "mean_ci"}, {{"A & B_c", "0.51 ± 0.02"}}}, "latex");
  EXPECT_EQ(text,
            "% \\usepackage{booktabs}\n\\begin{tabular}{ll}\n\\toprule\narm       & mean\\_ci      "
            "  \\\\\n\\midrule\n"
            "A \\& B\\_c & 0.51 $\\pm$ 0.02 \\\\\n\\bottomrule\n\\end{tabular}\n");
}

TEST(Rows, EscapeForLatexAsTablesDo) {
  const std::string latex =
      format_rows({{"[x]"}, {{"1 ± 2, 3 ± 4"}, {"*"}, {"a\nb"}, {"注"}}}, "latex");
  EXPECT_THAT(latex, HasSubstr("1 $\\pm$ 2, 3 $\\pm$ 4"));
  EXPECT_THAT(latex, HasSubstr("\n{}[x] "));
  EXPECT_THAT(latex, HasSubstr("\n{}* "));
  EXPECT_THAT(latex, HasSubstr("\na b "));
  EXPECT_THAT(latex, testing::StartsWith("% pdflatex does not know 注: "));
}

/// LaTeX can compile every text of a cell.
TEST(Rows, CompileInLatex) {
  if (std::system("command -v pdflatex > /dev/null && kpsewhich booktabs.sty > /dev/null") != 0)
    GTEST_SKIP() << "no pdflatex here";
  std::string all;
  for (char c = ' '; c <= '~'; ++c) all += c;
  const TempFolder folder;
  const QueryResult rows{{"[2pt]", "n"}, {{all, 1}, {"*", 2}, {"α ≤ β ± ∞ → x²", 3}, {"é\nü", 4}}};
  write_text(folder / "a.tex",
             "\\documentclass{article}\\usepackage{booktabs}\n\\begin{document}\n" +
                 format_rows(rows, "latex") + "\\end{document}\n");
  const std::string command =
      fmt::format("cd {} && pdflatex -interaction=nonstopmode -halt-on-error a.tex > out",
                  folder.path().string());
  EXPECT_EQ(std::system(command.c_str()), 0) << read_file(folder / "out");
}

TEST(Rows, RefuseAnUnknownFormat) {
  EXPECT_THAT([] { format_rows(kRows, "xls"); }, ThrowsCode("invalid-argument"));
}

TEST(Rows, WithoutRowsHaveTheirHeads) {
  EXPECT_EQ(format_rows({{"arm", "n"}, {}}, "csv"), "arm,n\n");
  EXPECT_EQ(format_rows({{"arm", "n"}, {}}, "json"), "[]\n");
}

TEST(SplitList, PartsAtCommasThatStandInNoParentheses) {
  EXPECT_THAT(split_list("--show", {"mean(dev/mcc), n", "f(a, b)"}),
              ElementsAre("mean(dev/mcc)", "n", "f(a, b)"));
  EXPECT_THAT(split_list("--show", {"a,,b"}), ElementsAre("a", "b"));
  for (const char* nothing : {"", ",", " , "}) {
    EXPECT_THAT([&] { split_list("--only", {nothing}); }, ThrowsCode("invalid-argument"))
        << nothing;
  }
}

}  // namespace
}  // namespace rethink
