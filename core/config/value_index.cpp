#include "core/config/value_index.h"

#include "core/config/value_equality.h"

namespace rethink {

void ValueIndex::add(const std::string& text, size_t id) {
  const auto number = number_in(text);
  (number ? of_number_[*number] : of_word_[text]).push_back(id);
}

const std::vector<size_t>& ValueIndex::like(const std::string& text) const {
  static const std::vector<size_t> kNone;
  if (const auto number = number_in(text)) {
    const auto found = of_number_.find(*number);
    return found == of_number_.end() ? kNone : found->second;
  }
  const auto found = of_word_.find(text);
  return found == of_word_.end() ? kNone : found->second;
}

}  // namespace rethink
