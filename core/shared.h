// A value that copies of it share, since none can change it: what thousands of trials have in common is there once.
#pragma once

#include <memory>
#include <utility>

namespace rethink {

template <typename Value>
class Shared {
 public:
  Shared() : value_(usual()) {}
  Shared(Value value) : value_(std::make_shared<const Value>(std::move(value))) {}

  const Value& operator*() const { return *value_; }
  const Value* operator->() const { return value_.get(); }

 private:
  static const std::shared_ptr<const Value>& usual() {
    static const auto kUsual = std::make_shared<const Value>();
    return kUsual;
  }

  std::shared_ptr<const Value> value_;
};

}  // namespace rethink
