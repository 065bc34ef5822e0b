// A paper with a bare table and a figure as wide as its column.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/files/file.h"
#include "core/json.h"
#include "plots/figure/drawing/gnuplot.h"
#include "plots/render/renderer.h"
#include "tests/unit/plots/fixture.h"

namespace rethink::test {
namespace {

constexpr double kColumnPoints = 3.25 * 72.27;

constexpr const char* kPaper = R"(\documentclass[twocolumn]{article}
\usepackage{booktabs,graphicx}
\setlength{\columnwidth}{3.25in}
\begin{document}
\begin{table}
\caption{Scores.}
\input{scores.tex}
\end{table}
\begin{figure}
\sbox0{\includegraphics{rates.pdf}}\typeout{figure is \the\wd0 wide}\usebox0
\caption{Rates.}
\end{figure}
\end{document}
)";

Figure column_wide_figure() {
  Figure figure;
  figure.name = "rates";
  figure.page = {.has_title = false, .caption = "", .width_in = 3.25, .font_pt = 8};
  figure.x.label = "rate";
  figure.y.label = "perplexity";
  figure.series = {{"ours", false, false, {{0, 100, 1.0, 3}, {1, 101, 2.0, 3}}},
                   {"theirs", false, false, {{0, 99, 1.0, 3}, {1, 104, 2.0, 3}}, 1}};
  return figure;
}

std::string bare_table() {
  const auto renderer = renderers().make("latex", Json::object());
  EXPECT_TRUE(renderer->make_bare());
  std::string spec = kExampleSpec;
  spec.erase(spec.find("paper:"), spec.find("notes:") - spec.find("paper:"));
  return renderer->table(table_of(spec, example_plans(), example_records()));
}

/// The program that compiles LaTeX here; "" where there is none.
std::string latex_program() {
  if (std::system("command -v pdflatex > /dev/null && kpsewhich booktabs.sty > /dev/null") == 0)
    return "pdflatex -interaction=nonstopmode -halt-on-error";
  return std::system("command -v tectonic > /dev/null") == 0 ? "tectonic --keep-logs" : "";
}

TEST(Paper, TakesABareTableAndAFigureAtTheWidthOfItsColumn) {
  EXPECT_EQ(bare_table(), golden("tables/bare_paired.tex", bare_table()));
  const std::string program = latex_program();
  if (program.empty()) GTEST_SKIP() << "neither pdflatex with booktabs nor tectonic is here";
  const TempFolder folder;
  draw_figure(column_wide_figure(), folder.path(), "rates");
  write_text(folder / "scores.tex", bare_table());
  write_text(folder / "paper.tex", kPaper);
  const std::string command =
      fmt::format("cd {} && {} paper.tex > out 2>&1", folder.path().string(), program);
  ASSERT_EQ(std::system(command.c_str()), 0) << read_file(folder / "out");
  const std::string log = read_file(folder / "paper.log"), words = "figure is ";
  const double width = std::stod(log.substr(log.find(words) + words.size()));
  EXPECT_NEAR(width, kColumnPoints, 1.5);  // gnuplot writes whole points
}

}  // namespace
}  // namespace rethink::test
