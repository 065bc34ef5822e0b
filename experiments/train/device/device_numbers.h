// Collects numbers on a device, and brings them to the host by one copy.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <utility>
#include <vector>

namespace rethink {

class DeviceNumbers {
 public:
  /// Keeps the tensor `value`, which has one element. Never waits for the device. read() divides the number by
  /// `divisor`.
  void add(std::string name, const at::Tensor& value, double divisor = 1.0);

  /// Returns names and numbers in the order of add(). Waits for the device once, whatever their number.
  std::vector<std::pair<std::string, double>> read() const;

 private:
  struct Number {
    std::string name;
    at::Tensor value;
    double divisor;
  };
  std::vector<Number> numbers_;
};

}  // namespace rethink
