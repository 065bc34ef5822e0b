#include "experiments/attempt/analyses/selective_shift.h"

#include "core/error.h"

namespace rethink {
namespace {

constexpr int64_t kMostLevels = int64_t{1} << 20;

[[noreturn]] void too_large() {
  throw TrialError(
      "too-large",
      "the numbers of this grid have more than 128 bits; take a greater delta, fewer tokens or a "
      "smaller width");
}

Exact times(Exact a, Exact b) {
  Exact product = 0;
  if (__builtin_mul_overflow(a, b, &product)) too_large();
  return product;
}

Exact plus(Exact a, Exact b) {
  Exact sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) too_large();
  return sum;
}

}  // namespace

int64_t ShiftGrid::levels() const {
  int64_t levels = 1;
  for (int64_t i = 0; i < width; ++i) {
    levels *= inverse_delta;
    if (levels > kMostLevels)
      throw TrialError("too-large",
                       "the grid has more than 2^20 levels; take a greater delta or less width");
  }
  return levels;
}

Exact ShiftGrid::global_factor() const {
  const Exact base = levels();
  Exact power = 1;
  for (int64_t i = 0; i < tokens; ++i) power = times(power, base);
  return times(base - 1, plus(power, base + 1));
}

SelectiveShift::SelectiveShift(const ShiftGrid& grid, const std::vector<int64_t>& levels)
    : grid_(grid) {
  for (int64_t level : levels) {
    std::vector<Exact>& token = tokens_.emplace_back();
    for (int64_t k = 0; k < grid.width; ++k) {
      token.push_back(grid.unit() * (level % grid.inverse_delta));
      level /= grid.inverse_delta;
    }
  }
}

std::vector<Exact> SelectiveShift::values() const {
  std::vector<Exact> values;
  for (const std::vector<Exact>& token : tokens_) {
    Exact value = 0, u = 1;
    for (const Exact number : token) {
      value = plus(value, times(number, u));
      u *= grid_.inverse_delta;
    }
    values.push_back(value);
  }
  return values;
}

std::vector<Exact> SelectiveShift::head(Exact b) const {
  const std::vector<Exact> values = this->values();
  std::vector<Exact> means;
  for (size_t i = 0; i < values.size(); ++i) {
    Exact greatest = 0, sum = 0;
    int64_t ties = 0;
    for (size_t j = 0; j < values.size(); ++j) {
      if (j == i) continue;  // no attention to itself
      const Exact score = times(plus(values[i], -b), values[j]);
      if (ties == 0 || score > greatest) greatest = score, sum = 0, ties = 0;
      if (score == greatest) sum = plus(sum, values[j]), ++ties;
    }
    RETHINK_ASSERT(ties > 0 && sum % ties == 0, "a mean of the hard-max is not whole");
    means.push_back(sum / ties);
  }
  return means;
}

void SelectiveShift::add(const std::vector<Exact>& change, Exact factor) {
  for (size_t i = 0; i < tokens_.size(); ++i)
    tokens_[i][0] = plus(tokens_[i][0], times(factor, change[i]));
}

void SelectiveShift::shift(int64_t level) {
  const Exact l = level * grid_.unit(), half = grid_.unit() / 2;
  std::vector<Exact> difference = head(l - half);
  const std::vector<Exact> above = head(l + half);
  for (size_t i = 0; i < difference.size(); ++i) difference[i] -= above[i];
  add(difference, grid_.levels());
}

void SelectiveShift::shift_all() {
  add(head(0), grid_.global_factor());
}

}  // namespace rethink
