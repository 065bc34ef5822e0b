// Draws for the random suites: which damage, fault or mutation, and how many of them.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>

namespace rethink {

/// The number in an environment variable, or `otherwise` where it is unset.
inline uint64_t number_from(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Random choices that are the same on every machine.
class RandomChoices {
 public:
  explicit RandomChoices(uint64_t seed) : engine_(seed) {}
  /// 0 <= number < end; 0 for an `end` of 0.
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
