#include "plots/render/latex_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rethink {
namespace {

/// Every printable mark of ASCII; those with a meaning in LaTeX are written so that LaTeX prints
/// them.
TEST(LatexText, PrintsEveryMarkOfAscii) {
  EXPECT_EQ(latex_text("!\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~"),
            "!\"\\#\\$\\%\\&'()*+,-./09:;$<$=$>$?@AZ[\\textbackslash{}]\\textasciicircum{}\\_"
            "\\textasciigrave{}az\\{\\textbar{}\\}\\textasciitilde{}");
  EXPECT_EQ(latex_text("a\r\nb\tc"), "a b c");
  EXPECT_EQ(latex_text("--set a=1 to -1 - 2"), "-{}-set a=1 to $-$1 $-$ 2");
}

TEST(LatexText, WritesSignsInMathematics) {
  EXPECT_EQ(latex_text("1 ± 2, 3 ± 4"), "1 $\\pm$ 2, 3 $\\pm$ 4");
  EXPECT_EQ(latex_text("α≤β, x², Δλ→0, 3×4"),
            "$\\alpha$$\\le$$\\beta$, x$^{2}$, $\\Delta$$\\lambda$$\\rightarrow$0, 3$\\times$4");
  EXPECT_EQ(latex_text("Café “é”"), "Café “é”");
}

TEST(LatexText, KeepsMathematicsOfALabel) {
  const std::string label = "dense & $\\lambda_1 = 10^{-3}$ (50 %)";
  EXPECT_EQ(latex_label(label), "dense \\& $\\lambda_1 = 10^{-3}$ (50 \\%)");
  EXPECT_EQ(without_mathematics(label), "dense & \u03BB_1 = 10^-3 (50 %)");
  EXPECT_EQ(without_mathematics("$\\mathrm{FFN}(x)\\,\\le\\{W_1\\}$, $\\foo^2$"),
            "FFN(x) \u2264{W_1}, foo^2");
  EXPECT_EQ(latex_label("$x^2$$y^2$"), "$x^2$$y^2$");
  EXPECT_EQ(latex_label("a\n$x^2$"), "a $x^2$");
  EXPECT_EQ(latex_label("top-$k$ ($k=8$, $O(n)$) & 5"), "top-$k$ ($k=8$, $O(n)$) \\& 5");
  EXPECT_EQ(without_mathematics("top-$k$ ($k=8$)"), "top-k (k=8)");
}

TEST(LatexText, TakesDollarSignsOfTextForText) {
  for (const char* text : {"$5 and $6", "$5$", "$ab$", "$or$", "US$x_1$", "$x_1$s", "$ x_1 $",
                           "$x_1", "$a}_{$", "$5_%$", "$a_& b$", "$x\\$", "$", "$$", "\\$x_1$"}) {
    EXPECT_EQ(latex_label(text), latex_text(text)) << text;
    EXPECT_EQ(without_mathematics(text), text);
  }
}

TEST(LatexText, OfAKeyHasNothingThatLatexReads) {
  EXPECT_EQ(latex_key("a3/table_1-b.c: d"), "a3/table_1-b.c: d");
  EXPECT_EQ(latex_key("p%q#{r}"), "p+25q+23+7Br+7D");
  EXPECT_EQ(latex_key("\\~$&^+\u00E9\n"), "+5C+7E+24+26+5E+2B+C3+A9+0A");
}

TEST(LatexText, AtTheBeginningOfARowABracketOrAStarIsText) {
  EXPECT_EQ(latex_first("[CLS] & 1"), "{}[CLS] & 1");
  EXPECT_EQ(latex_first("   *best"), "{}   *best");
  EXPECT_EQ(latex_first("a [b]"), "a [b]");
}

TEST(LatexText, SaysHowLettersOfOtherScriptsAreCompiled) {
  EXPECT_EQ(latex_letters_note(latex_text("Café, α ≤ β – “x”")), "");
  EXPECT_EQ(latex_letters_note("ą «x»"), "% \\usepackage[T1]{fontenc} for « » ą\n");
  EXPECT_THAT(latex_letters_note("абвгдежзийклмн"), testing::HasSubstr("й к л ...: compile"));
  EXPECT_EQ(latex_letters_note("注 д 注"),
            "% pdflatex does not know д 注: compile with lualatex or xelatex, "
            "\\usepackage{fontspec} and \\setmainfont of a font that has them\n");
}

}  // namespace
}  // namespace rethink
