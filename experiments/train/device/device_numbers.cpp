#include "experiments/train/device/device_numbers.h"

#include <ATen/ATen.h>

namespace rethink {

void DeviceNumbers::add(std::string name, const at::Tensor& value, double divisor) {
  numbers_.push_back({std::move(name), value.detach(), divisor});
}

std::vector<std::pair<std::string, double>> DeviceNumbers::read() const {
  std::vector<std::pair<std::string, double>> read;
  if (numbers_.empty()) return read;
  // A variant may have computed its number on the CPU.
  const auto doubles = numbers_.front().value.options().dtype(at::kDouble);
  std::vector<at::Tensor> values;
  for (const Number& number : numbers_)
    values.push_back(number.value.to(doubles, /*non_blocking=*/true).reshape({}));
  const at::Tensor on_host = at::stack(values).cpu();
  const double* value = on_host.const_data_ptr<double>();
  for (const Number& number : numbers_) read.emplace_back(number.name, *value++ / number.divisor);
  return read;
}

}  // namespace rethink
