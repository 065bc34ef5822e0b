// Finds the values that can be equal to a given one without a comparison with each of them.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace rethink {

class ValueIndex {
 public:
  void add(const std::string& text, size_t id);
  /// The ids whose text or number is that of `text`, in the order of `add`. Types and quotes are
  /// not looked at: same_value (core/config/value_equality.h) decides among these ids.
  const std::vector<size_t>& like(const std::string& text) const;

 private:
  std::map<long double, std::vector<size_t>> of_number_;
  std::unordered_map<std::string, std::vector<size_t>> of_word_;  // texts that are not numbers
};

}  // namespace rethink
