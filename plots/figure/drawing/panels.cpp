#include "plots/figure/drawing/panels.h"

#include <fmt/format.h>

#include <algorithm>

#include "plots/figure/figure.h"

namespace rethink {

int64_t read_across(SpecReader& reader, int64_t usual) {
  constexpr int64_t kMost = 12;
  const int64_t across = reader.integer("across", 1).value_or(usual);
  if (across > kMost)
    reader.problem(reader.where(),
                   fmt::format("across: got {}, expected at most {}", across, kMost));
  return across;
}

std::optional<size_t> first_with_file(const Cell& cell, const ArtifactFiles& files) {
  for (size_t i = 0; i < cell.trials.size(); ++i) {
    if (files.contains(cell.trials[i])) return i;
  }
  return std::nullopt;
}

ShownSeed shown_seed(const Cell& cell, size_t place) {
  const int64_t seed = cell.numbers[place].seed;
  return {seed, static_cast<size_t>(std::ranges::count(cell.numbers, seed, &TrialNumber::seed))};
}

std::string to_text(const ShownSeed& shown) {
  return shown.trials == 1 ? fmt::format("{}", shown.seed)
                           : fmt::format("{} (one of its {} trials)", shown.seed, shown.trials);
}

void note_missing_panel(Figure& figure, const std::string& panel, const std::string& why) {
  if (!figure.not_measured.empty()) figure.not_measured += "; ";
  figure.not_measured += fmt::format("panel '{}': {}", panel, why);
}

}  // namespace rethink
