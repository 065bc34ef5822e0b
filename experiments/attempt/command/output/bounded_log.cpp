#include "experiments/attempt/command/output/bounded_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace rethink {

BoundedLog::BoundedLog(uint64_t most, size_t most_of_end,
                       std::function<void(const std::string&)> write)
    : most_(most), most_of_end_(most_of_end), write_(std::move(write)) {}

BoundedLog::~BoundedLog() {
  try {
    end();
  } catch (
      const std::exception&) {  // the attempt has failed for another reason, or its disk is full
  }
}

bool BoundedLog::take(const std::string& text) {
  const size_t passed = static_cast<size_t>(std::min<uint64_t>(text.size(), most_ - passed_));
  if (passed == text.size()) {
    passed_ += passed;
    if (passed > 0) write_(text);
    return false;
  }
  if (passed > 0) write_(text.substr(0, passed));
  passed_ += passed;
  const bool is_first = left_out_ == 0;
  left_out_ += text.size() - passed;
  end_.append(text, passed);
  if (end_.size() > 2 * most_of_end_) end_.erase(0, end_.size() - most_of_end_);
  return is_first;
}

void BoundedLog::end() {
  if (left_out_ == 0) return;
  if (end_.size() > most_of_end_) end_.erase(0, end_.size() - most_of_end_);
  const uint64_t missing = std::exchange(left_out_, 0) - end_.size();
  const std::string kept = std::exchange(end_, "");
  write_(missing == 0 ? kept : fmt::format("\n[{} bytes are left out here]\n{}", missing, kept));
}

}  // namespace rethink
