#include "app/driver/show/terminal_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.h"

namespace rethink {
namespace {

struct AxisRange {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void take(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// From 0 to 1; 0.5 if there is only one value.
  double place(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
};

/// Characters of braille dots, 2 wide and 4 high each.
class Dots {
 public:
  Dots(size_t width, size_t height) : width_(width), height_(height), cells_(width * height) {}

  void set(double x, double y) {
    const auto column = static_cast<size_t>(std::lround(x * static_cast<double>(2 * width_ - 1)));
    const auto row =
        static_cast<size_t>(std::lround((1 - y) * static_cast<double>(4 * height_ - 1)));
    const size_t cell = row / 4 * width_ + column / 2;
    constexpr unsigned char kDots[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    cells_[cell] = static_cast<unsigned char>(cells_[cell] | kDots[row % 4][column % 2]);
  }

  /// A line from one point to the next, both in 0 to 1.
  void line(double x0, double y0, double x1, double y1) {
    const double dots = std::max(std::abs(x1 - x0) * static_cast<double>(2 * width_),
                                 std::abs(y1 - y0) * static_cast<double>(4 * height_));
    const int steps = std::max(1, static_cast<int>(std::ceil(dots)));
    for (int i = 0; i <= steps; ++i) {
      const double share = static_cast<double>(i) / steps;
      set(std::lerp(x0, x1, share), std::lerp(y0, y1, share));
    }
  }

  /// U+2800 and up, as UTF-8.
  std::string row(size_t number) const {
    std::string text;
    for (size_t i = number * width_; i < (number + 1) * width_; ++i) {
      const unsigned char dots = cells_[i];
      if (dots == 0) {
        text += ' ';
        continue;
      }
      text += {static_cast<char>(0xE2), static_cast<char>(0xA0 | (dots >> 6)),
               static_cast<char>(0x80 | (dots & 0x3F))};
    }
    return text;
  }

 private:
  size_t width_, height_;
  std::vector<unsigned char> cells_;
};

/// Where a curve ends as the mean of fewer trials than before.
std::string trials_text(const Curve& curve, int64_t at_end) {
  return at_end < curve.trials ? fmt::format(", the mean of {} of {} trials", at_end, curve.trials)
                               : "";
}

}  // namespace

std::string terminal_plot(const std::vector<Curve>& curves, size_t width, size_t height) {
  AxisRange steps, values;
  for (const Curve& curve : curves) {
    for (const CurvePoint& point : curve.points) {
      if (!std::isfinite(point.value)) continue;
      steps.take(static_cast<double>(point.step));
      values.take(point.value);
    }
  }
  if (values.low > values.high) return "no finite value\n";
  Dots dots(width, height);
  std::vector<std::string> marks(height);
  std::string legend;
  for (size_t i = 0; i < curves.size(); ++i) {
    const std::string mark(1, static_cast<char>('1' + std::min<size_t>(i, 8)));
    const CurvePoint* before = nullptr;
    for (const CurvePoint& point : curves[i].points) {
      if (!std::isfinite(point.value)) continue;
      const CurvePoint& from = before ? *before : point;
      dots.line(steps.place(static_cast<double>(from.step)), values.place(from.value),
                steps.place(static_cast<double>(point.step)), values.place(point.value));
      before = &point;
    }
    if (!before) continue;
    const double down = (1 - values.place(before->value)) * static_cast<double>(height - 1);
    marks[static_cast<size_t>(std::lround(down))] += mark;
    legend += fmt::format("{} {}  {:.6g} at step {}{}\n", mark, one_line(curves[i].label),
                          before->value, before->step, trials_text(curves[i], before->trials));
  }
  std::string text;
  for (size_t row = 0; row < height; ++row) {
    const std::string scale = row == 0            ? fmt::format("{:.6g}", values.high)
                              : row + 1 == height ? fmt::format("{:.6g}", values.low)
                                                  : "";
    text += fmt::format("{:>10} │{}{}\n", scale, dots.row(row), marks[row]);
  }
  const std::string first = fmt::format("{:.0f}", steps.low),
                    last = fmt::format("{:.0f}", steps.high);
  std::string axis;
  for (size_t i = 0; i < width; ++i) axis += "─";
  text += fmt::format("{:>10} └{}\n{:>12}{}{:>{}}\n", "", axis, "", first, last,
                      width - std::min(width, first.size()));
  return text + legend;
}

}  // namespace rethink
