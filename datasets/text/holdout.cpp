#include "datasets/text/holdout.h"

#include <cmath>

#include "datasets/philox_stream.h"

namespace rethink {
namespace {

constexpr uint64_t kHeldOutLinesStream = 0x686f6c646f757400;  // "holdout" in ASCII

}  // namespace

std::vector<SplitText> hold_out_lines(std::string_view text, double dev, double test,
                                      uint64_t seed) {
  std::vector<SplitText> splits = {{"train", ""}, {"dev", ""}, {"test", ""}};
  PhiloxStream random({seed, kHeldOutLinesStream});
  while (!text.empty()) {
    const size_t newline = text.find('\n');
    const size_t length = newline == std::string_view::npos ? text.size() : newline + 1;
    const double draw = random.uniform();
    splits[draw < dev ? 1 : draw < dev + test ? 2 : 0].text += text.substr(0, length);
    text.remove_prefix(length);
  }
  return splits;
}

std::vector<SplitText> hold_out_tail(const std::vector<std::string>& pieces, double dev,
                                     double test) {
  const auto count = static_cast<double>(pieces.size());
  const auto test_begin = static_cast<size_t>(std::lround(count * (1 - test)));
  const auto dev_begin = static_cast<size_t>(std::lround(count * (1 - test - dev)));
  std::vector<SplitText> splits = {{"train", ""}, {"dev", ""}, {"test", ""}};
  for (size_t index = 0; index < pieces.size(); ++index) {
    splits[index < dev_begin ? 0 : index < test_begin ? 1 : 2].text += pieces[index];
  }
  return splits;
}

}  // namespace rethink
