#include "plots/gnuplot_page.h"

#include <fmt/format.h>

#include "core/utf8.h"
#include "plots/gnuplot_axes.h"
#include "plots/sheet.h"

namespace rethink {
namespace {

constexpr size_t kCaptionWidth = 105;  // characters
constexpr size_t kTitleWidth = 88;
constexpr double kLine = 20.52;
constexpr double kAboveTitle = 18.9;  // to the middle of its first line
constexpr double kBelowCaption = 13.5;

std::vector<std::string> title_lines(const Figure& figure) {
  return wrapped(one_line(figure.title.empty() ? figure.name : figure.title), kTitleWidth);
}

struct CaptionLine {
  std::string text;
  bool alarm = false;  // of a sentence that says what is missing
};

/// The caption's sentences in lines that fit the picture's width.
std::vector<CaptionLine> wrapped_caption(const Figure& figure) {
  std::vector<CaptionLine> lines;
  for (const std::string& text : figure.caption) {
    const bool alarm = text.starts_with("NOT COMPLETE") || text.starts_with("DIVERGED");
    for (std::string& line : wrapped(text, kCaptionWidth))
      lines.push_back({std::move(line), alarm});
  }
  return lines;
}

}  // namespace

std::array<std::string, kPictures.size()> terminals(double height) {
  // Letters are drawn for SVG, so that it looks the same where the font is missing.
  return {fmt::format("svg size {:.0f},{:.0f} dynamic font \"DejaVu Sans,12\" name \"figure\" "
                      "background rgb \"white\"",
                      kPageWidth, height),
          fmt::format("pdfcairo size 7.2in,{:.4g}in font \"DejaVu Sans,11\"",
                      5.1 * height / kPlotHeight),
          fmt::format("pngcairo size {:.0f},{:.0f} font \"DejaVu Sans,12\" fontscale 1.75 "
                      "linewidth 2 pointscale 2 background rgb \"white\"",
                      2 * kPageWidth, 2 * height)};
}

double title_height(const Figure& figure) {
  return kAboveTitle + kLine * static_cast<double>(title_lines(figure).size());
}

std::string title_labels(const Figure& figure, double height) {
  std::string out;
  double below_top = kAboveTitle;
  for (const std::string& line : title_lines(figure)) {
    out += fmt::format("set label {} at screen 0.5,{:.4g} center noenhanced font \",13\"\n",
                       quoted(line), 1 - below_top / height);
    below_top += kLine;
  }
  return out;
}

double caption_height(const Figure& figure) {
  return kBelowCaption + kLine * static_cast<double>(wrapped_caption(figure).size());
}

std::string caption_labels(const Figure& figure, double height) {
  std::string out;
  const std::vector<CaptionLine> lines = wrapped_caption(figure);
  double line = static_cast<double>(lines.size());
  for (const auto& [text, alarm] : lines) {
    line -= 1;
    out += fmt::format(
        "set label {} at screen 0.02,{:.4f} left noenhanced font \",10\" textcolor rgb \"{}\"\n",
        quoted(text), (kBelowCaption + kLine * line) / height, alarm ? "#B00020" : "#444444");
  }
  return out;
}

}  // namespace rethink
