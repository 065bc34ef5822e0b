#include "plots/figure/drawing/gnuplot_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/error.h"
#include "core/text.h"
#include "plots/text_format.h"

namespace rethink {
namespace {

constexpr double kTitleWidth = 88;       // characters, on a page as wide as a screen
constexpr double kCountedAdvance = 0.6;  // [em] that gnuplot reserves for a letter of the legend
constexpr double kPdfPoint =
    4.0 / 3;  // gnuplot's pdfcairo makes letters larger than requested by this factor
constexpr double kPrintWidth = 7.2;  // [in], if a spec has none
constexpr double kPrintFont = 8;     // [pt], likewise
constexpr double kMargin = 14;       // empty space at the page's edge
constexpr double kLine = 20.52;
constexpr double kAboveTitle = 18.9;  // to the middle of the title's first line
constexpr double kCaptionEm = 10;     // size of its letters, in every picture
constexpr double kCaptionLine = 15.5;
constexpr double kCaptionLeft = 0.02;  // share of the page's width
constexpr double kBelowCaption = 13.5;

/// The width of each character from ' ' to '~' in DejaVu Sans [1/100 em].
constexpr int kAdvances[] = {
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};
constexpr int kOtherAdvance = 75;

std::vector<std::string> title_lines(const Figure& figure) {
  if (figure.title.empty() && !figure.page.has_title) return {};
  const auto width = static_cast<size_t>(kTitleWidth * page_width(figure) / kPageWidth);
  return wrapped(one_line(figure.title.empty() ? figure.name : figure.title), width);
}

bool is_alarm(const std::string& sentence) {
  return sentence.starts_with("NOT ") || sentence.starts_with("DIVERGED");
}

struct CaptionLine {
  std::string text;
  bool alarm = false;  // of a sentence that reports something missing
};

/// The caption, broken into lines of the picture's width.
std::vector<CaptionLine> wrapped_caption(const Figure& figure) {
  std::vector<CaptionLine> parts;
  for (const std::string& text : shown_caption(figure)) {
    const bool alarm = is_alarm(text);
    if (alarm || parts.empty() || parts.back().alarm)
      parts.push_back({text, alarm});
    else
      parts.back().text += "\u00A0· " + text;  // a line never begins with the dot
  }
  const double most = page_width(figure) * (1 - 2 * kCaptionLeft) / kCaptionEm;
  std::vector<CaptionLine> lines;
  for (const auto& [text, alarm] : parts) {
    for (std::string& line : wrapped(text, most, drawn_width))
      lines.push_back({std::move(line), alarm});
  }
  return lines;
}

}  // namespace

double drawn_width(const std::string& text) {
  int advance = 0;
  for (const char c : text) {
    if (c >= ' ' && c <= '~')
      advance += kAdvances[c - ' '];
    else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80)
      advance += kOtherAdvance;
  }
  return 0.01 * advance;
}

namespace {

/// The room for a text [em], also as gnuplot counts it.
double reserved_width(const std::string& text) {
  return std::max(drawn_width(text), kCountedAdvance * static_cast<double>(width_of(text)));
}

}  // namespace

std::string shown_width(const Figure& figure) {
  return figure.page.is_for_print()
             ? fmt::format("{:g}in", figure.page.width_in.value_or(kPrintWidth))
             : fmt::format("{:g} pixels", kPageWidth);
}

std::vector<std::string> label_lines(const Figure& figure, const std::string& label, double most,
                                     size_t most_lines) {
  std::vector<std::string> lines = wrapped(one_line(label), most / kLetter, reserved_width);
  const bool fits =
      lines.size() <= most_lines && std::ranges::all_of(lines, [&](const std::string& line) {
        return reserved_width(line) <= most / kLetter;
      });
  if (fits) return lines;
  throw ConfigError("too-long",
                    fmt::format("figure {}: label '{}' is too long for a figure of {}; shorten it "
                                "or take a larger width",
                                figure.name, one_line(label), shown_width(figure)));
}

double page_width(const Figure& figure) {
  if (!figure.page.is_for_print()) return kPageWidth;
  const double points = 72 * figure.page.width_in.value_or(kPrintWidth);
  return std::round(points * kLetter / figure.page.font_pt.value_or(kPrintFont));
}

std::vector<std::string> shown_caption(const Figure& figure) {
  if (!figure.page.caption) return figure.caption;
  std::vector<std::string> shown;
  if (!figure.page.caption->empty()) shown.push_back(*figure.page.caption);
  std::ranges::copy_if(figure.caption, std::back_inserter(shown), is_alarm);
  return shown;
}

std::string quoted(const std::string& text) {
  return "\"" + escaped(one_line(text), {{"\\", "\\\\"}, {"\"", "\\\""}, {"`", "'"}}) + "\"";
}

std::string quoted(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    const std::string word = quoted(line);
    text += (text.empty() ? "" : "\\n") + word.substr(1, word.size() - 2);
  }
  return "\"" + text + "\"";
}

namespace {

/// For print, the SVG's letters of 12 pixels get the size in points that the spec gives; lines and
/// marks scale with them.
std::string pdf_terminal(const Figure& figure, double height) {
  const double width = figure.page.width_in.value_or(kPrintWidth);
  const std::string size =
      fmt::format("pdfcairo size {:.4g}in,{:.4g}in ", width, width * height / page_width(figure));
  if (!figure.page.is_for_print()) return size + "font \"DejaVu Sans,11\"";
  const double scale = figure.page.font_pt.value_or(kPrintFont) / kLetter;
  return size + fmt::format(
                    "font \"DejaVu Sans,12\" fontscale {1:.4g} linewidth {0:.4g} "
                    "pointscale {0:.4g}",
                    scale, scale / kPdfPoint);
}

}  // namespace

std::string plot_margins(double left, double right, double top, double bottom) {
  return fmt::format(
      "set lmargin at screen {:.6f}\nset rmargin at screen {:.6f}\n"
      "set tmargin at screen {:.6f}\nset bmargin at screen {:.6f}\n",
      left, right, top, bottom);
}

std::array<std::string, kPictures.size()> terminals(const Figure& figure, double height) {
  const double width = page_width(figure);
  // SVG gets letters as outlines, so that it looks the same without the font.
  return {fmt::format("svg size {:.0f},{:.0f} dynamic font \"DejaVu Sans,12\" name \"figure\" "
                      "background rgb \"white\"",
                      width, height),
          pdf_terminal(figure, height),
          // So that letters have the same share of the page as in the SVG.
          fmt::format("pngcairo size {:.0f},{:.0f} font \"DejaVu Sans,12\" fontscale 1.5 "
                      "linewidth 2 pointscale 2 background rgb \"white\"",
                      2 * width, 2 * height)};
}

double title_height(const Figure& figure) {
  const size_t lines = title_lines(figure).size();
  return lines == 0 ? kMargin : kAboveTitle + kLine * static_cast<double>(lines);
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
  const size_t lines = wrapped_caption(figure).size();
  return lines == 0 && figure.page.caption
             ? 0
             : kBelowCaption + kCaptionLine * static_cast<double>(lines);
}

std::string caption_labels(const Figure& figure, double height) {
  std::string out;
  const std::vector<CaptionLine> lines = wrapped_caption(figure);
  double line = static_cast<double>(lines.size());
  for (const auto& [text, alarm] : lines) {
    line -= 1;
    out += fmt::format(
        "set label {} at screen {},{:.4f} left noenhanced font \",{}\" textcolor rgb \"{}\"\n",
        quoted(text), kCaptionLeft, (kBelowCaption + kCaptionLine * line) / height, kCaptionEm,
        alarm ? "#B00020" : "#444444");
  }
  return out;
}

}  // namespace rethink
