// Random choices for the random test suites: the kind of damage, fault or mutation, and the number of
// tries.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>

namespace rethink {

/// Returns the number in an environment variable, or `otherwise` if it is unset.
inline uint64_t number_from(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Random choices that are the same on every machine.
class RandomChoices {
 public:
  explicit RandomChoices(uint64_t seed) : engine_(seed) {}
  /// Returns a number with 0 <= number < end; 0 for an `end` of 0.
  size_t below(size_t end) { return end == 0 ? 0 : engine_() % end; }
  /// Requires: not empty.
  template <typename List>
  const auto& one_of(const List& list) {
    return list[below(list.size())];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace rethink
