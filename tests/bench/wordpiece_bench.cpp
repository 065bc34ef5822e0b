// Benchmark of WordPiece: MB of text per second of processor time, on one thread, line by line into
// one vector.
//
//   wordpiece_bench VOCAB TEXT [ROUNDS [cased]]
// Prints one line of JSON with the median, the slowest and the fastest round. The first round fills
// the caches and does not count.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <string>
#include <vector>

#include "core/files/file.h"
#include "datasets/wordpiece/wordpiece.h"

namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void measure(const rethink::WordPiece& wordpiece, const std::string& text, int rounds) {
  const std::vector<std::string_view> lines = lines_of(text);
  std::vector<int32_t> ids;
  std::vector<double> speeds;
  for (int round = 0; round <= rounds; ++round) {
    ids.clear();
    const std::clock_t begun = std::clock();
    for (const std::string_view line : lines) wordpiece.encode(line, ids);
    const double took_s = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
    if (round > 0) speeds.push_back(static_cast<double>(text.size()) / 1e6 / took_s);
  }
  std::sort(speeds.begin(), speeds.end());
  std::printf(
      "{\"program\": \"rethink\", \"median_mb_s\": %.2f, \"slowest\": %.2f, \"fastest\": %.2f, "
      "\"ids\": %zu}\n",
      speeds[speeds.size() / 2], speeds.front(), speeds.back(), ids.size());
}

}  // namespace

int main(int count, char** words) {
  const int rounds = count > 3 ? std::atoi(words[3]) : 9;
  if (count < 3 || rounds < 1) {
    std::fprintf(stderr, "usage: wordpiece_bench VOCAB TEXT [ROUNDS [cased]]\n");
    return 2;
  }
  try {
    measure(rethink::WordPiece::from_file(words[1], /*cased=*/count > 4),
            rethink::read_file(words[2]), rounds);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
