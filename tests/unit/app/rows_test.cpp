#include "app/driver/rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/json.h"

namespace rethink {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

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

TEST(Rows, CountCharactersNotBytes) {
  EXPECT_EQ(width_of("Δ ± τ"), 5u);
  EXPECT_EQ(format_rows({{"x", "y"}, {{"±", 1}, {"ab", 2}}}, "text"),
            "x   y\n──  ─\n±   1\nab  2\n");
}

TEST(Rows, EscapeBarsInMarkdown) {
  EXPECT_EQ(format_rows(kRows, "md"),
            "| arm          |    score |\n"
            "|--------------|---------:|\n"
            "| Star         | 0.123457 |\n"
            "| dense, full  |        2 |\n"
            "| A & B_c\\|\"d\" |          |\n");
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

TEST(Rows, AreObjectsInJson) {
  const Json all = Json::parse(format_rows(kRows, "json"));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0], (Json{{"arm", "Star"}, {"score", 0.123456789}}));
  EXPECT_TRUE(all[2]["score"].is_null());
}

TEST(Rows, AreABooktabsTableInLatex) {
  const std::string text = format_rows({{"arm", "mean_ci"}, {{"A & B_c", "0.51 ± 0.02"}}}, "latex");
  EXPECT_EQ(text,
            "\\begin{tabular}{ll}\n\\toprule\narm       & mean\\_ci        \\\\\n\\midrule\n"
            "A \\& B\\_c & 0.51 $\\pm$ 0.02 \\\\\n\\bottomrule\n\\end{tabular}\n");
}

TEST(Rows, RefuseAnUnknownFormat) {
  EXPECT_THAT([] { format_rows(kRows, "xls"); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("--format: got 'xls', expected text, md, csv, json or latex")));
}

TEST(Rows, WithoutRowsHaveTheirHeads) {
  EXPECT_EQ(format_rows({{"arm", "n"}, {}}, "csv"), "arm,n\n");
  EXPECT_EQ(format_rows({{"arm", "n"}, {}}, "json"), "[]\n");
}

TEST(SplitList, PartsAtCommasThatStandInNoParentheses) {
  EXPECT_THAT(split_list({"mean(dev/mcc), n", "f(a, b)"}),
              ElementsAre("mean(dev/mcc)", "n", "f(a, b)"));
  EXPECT_THAT(split_list({"a,,b"}), ElementsAre("a", "b"));
}

}  // namespace
}  // namespace rethink
