// Operators of the fake devices: the CPU's operators, on host tensors that share the device's
// memory. LibTorch's dispatcher, autocast and autograd run above them as on a GPU.
#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/native/TensorFactories.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/view_native.h>
#include <torch/library.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tests/fake_cuda/device_memory.h"
#include "tests/fake_cuda/host_view.h"
#include "tests/fake_cuda/report.h"

namespace rethink::fake_cuda {
namespace {

using at::Tensor;

/// Operators whose result, or its size, must reach the host before the host continues.
const std::set<std::string> kWaiting = {"aten::_local_scalar_dense", "aten::equal",
                                        "aten::masked_select", "aten::nonzero", "aten::_unique2"};

/// Tensors of a call: each device tensor with its host view.
class CallTensors {
 public:
  explicit CallTensors(std::string name) : name_(std::move(name)) {}

  Tensor on_host(const Tensor& tensor) {
    if (!tensor.defined()) return tensor;
    if (!tensor.is_cuda()) {
      // A number is an argument of the launch.
      if (tensor.dim() > 0) host_sizes_ = c10::str(tensor.sizes());
      return tensor;
    }
    TORCH_CHECK(!device_ || *device_ == tensor.device(), name_, " got tensors of ", *device_,
                " and of ", tensor.device());
    device_ = tensor.device();
    views_.push_back({tensor, host_view(tensor)});
    return views_.back().host;
  }

  void check_devices() const {
    TORCH_CHECK(!device_ || host_sizes_.empty(), name_, " got a tensor ", host_sizes_,
                " of the host and one of ", device_.value());
  }

  /// Resizes arguments to the sizes that the operator gave to their views.
  void settle() const {
    for (const View& view : views_) {
      if (view.host.storage().nbytes() != view.device.storage().nbytes()) {
        const Tensor grown = on_device(view.host, *device_);
        view.device.unsafeGetTensorImpl()->set_storage_keep_dtype(grown.storage());
      }
      if (view.host.sizes() == view.device.sizes()) continue;
      view.device.unsafeGetTensorImpl()->set_sizes_and_strides(
          view.host.sizes(), view.host.strides(), view.host.storage_offset());
    }
  }

  Tensor result(const Tensor& tensor) const {
    if (!tensor.defined()) return tensor;
    for (const View& view : views_) {
      if (view.host.is_same(tensor)) return view.device;
      TORCH_CHECK(!view.host.storage().nbytes() || !tensor.is_alias_of(view.host), name_,
                  " returns a view, which tests/fake_cuda/operators.cpp must register");
    }
    return on_device(tensor, *device_);
  }

 private:
  struct View {
    Tensor device, host;
  };
  const std::string name_;
  std::vector<View> views_;
  std::optional<c10::Device> device_;
  std::string host_sizes_;  // sizes of a tensor that is not on a device; "" if there is none
};

/// Returns the value with `change` applied to each of its tensors.
template <typename Change>
c10::IValue changed(const c10::IValue& value, const Change& change) {
  if (value.isTensor()) return change(value.toTensor());
  if (value.isTensorList()) {
    c10::List<Tensor> list;
    for (const Tensor& tensor : value.toTensorVector()) list.push_back(change(tensor));
    return list;
  }
  if (value.isOptionalTensorList()) {
    c10::List<std::optional<Tensor>> list;
    for (const auto& tensor : value.toOptionalTensorVector())
      list.push_back(tensor ? std::optional(change(*tensor)) : std::nullopt);
    return list;
  }
  return value;
}

/// The tensors of a call's last `count` values.
std::vector<Tensor> tensors_of(const torch::jit::Stack& stack, size_t count) {
  std::vector<Tensor> tensors;
  const auto add = [&](const Tensor& tensor) {
    if (tensor.defined()) tensors.push_back(tensor);
    return tensor;
  };
  for (size_t i = stack.size() - count; i < stack.size(); ++i) changed(stack[i], add);
  return tensors;
}

/// Whether the operator writes the product of its last two matrices into the tensor behind them.
bool is_product(const std::string& name) {
  static const std::set<std::string> kProducts = {"aten::mm.out", "aten::bmm.out",
                                                  "aten::addmm.out", "aten::baddbmm.out"};
  return kProducts.contains(name);
}

/// What the products of an operator compute: two operations for each pair of numbers.
int64_t flops_of(const std::string& name, const std::vector<Tensor>& given) {
  const auto product = [](const Tensor& left, const Tensor& right) {
    return 2 * left.numel() * right.size(-1);
  };
  if (is_product(name)) return product(given.end()[-3], given.end()[-2]);
  if (name == "rethink::attention_forward") return 4 * given.at(0).numel() * given.at(1).size(2);
  if (name == "rethink::attention_backward") return 10 * given.at(1).numel() * given.at(2).size(2);
  return 0;
}

/// Requires: `given` are the call's arguments and `made` its results. Arguments in which the operator writes count twice,
/// and tables of which it reads rows count as these rows.
Traffic traffic_of(const c10::OperatorHandle& op, const std::string& name,
                   const torch::jit::Stack& arguments, const std::vector<Tensor>& made) {
  const std::vector<Tensor> given = tensors_of(arguments, arguments.size());
  Traffic traffic{.flops = flops_of(name, given)};
  const bool is_lookup = name == "aten::index_select" || name == "aten::embedding";
  const bool overwrites = name.starts_with("aten::fill_") || name == "aten::zero_";
  for (size_t i = 0; i < arguments.size(); ++i) {
    const c10::Argument& argument = op.schema().arguments()[i];
    const bool writes = argument.alias_info() && argument.alias_info()->isWrite();
    const bool reads = !argument.is_out() && !overwrites && !(is_lookup && i == 0);
    for (const Tensor& tensor : tensors_of({arguments[i]}, 1))
      traffic.bytes += bytes_of(tensor) * ((reads ? 1 : 0) + (writes ? 1 : 0));
  }
  for (const Tensor& tensor : made) {
    const bool is_given =
        std::ranges::any_of(given, [&](const Tensor& other) { return other.is_same(tensor); });
    if (!is_given) traffic.bytes += bytes_of(tensor) * (is_lookup ? 2 : 1);
  }
  return traffic;
}

void by_the_cpu(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const std::string name = c10::toString(op.operator_name());
  kWaiting.contains(name) ? report_wait(name) : report("operator " + name);
  CallTensors tensors(name);
  const size_t count = op.schema().arguments().size();
  torch::jit::Stack arguments;
  if (is_work_reported())
    arguments.assign(stack->end() - static_cast<std::ptrdiff_t>(count), stack->end());
  const auto change_last = [&](size_t values, const auto& change) {
    for (size_t i = stack->size() - values; i < stack->size(); ++i)
      (*stack)[i] = changed((*stack)[i], change);
  };
  change_last(count, [&](const Tensor& tensor) { return tensors.on_host(tensor); });
  tensors.check_devices();
  if (is_work_reported() && is_product(name)) {
    // A CPU takes minutes for large products in bfloat16.
    const Tensor zeros = stack->back().toTensor().zero_();
    torch::jit::drop(*stack, count);
    stack->push_back(zeros);
  } else {
    op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), stack);
  }
  tensors.settle();
  change_last(op.schema().returns().size(),
              [&](const Tensor& tensor) { return tensors.result(tensor); });
  if (!is_work_reported() || kWaiting.contains(name)) return;
  const std::vector<Tensor> made = tensors_of(*stack, op.schema().returns().size());
  const std::vector<Tensor> all = made.empty() ? tensors_of(arguments, count) : made;
  report_work(name, traffic_of(op, name, arguments, made),
              all.empty() ? at::kFloat : all.front().scalar_type());
}

using MaybeDtype = std::optional<at::ScalarType>;
using MaybeLayout = std::optional<at::Layout>;
using MaybeDevice = std::optional<at::Device>;

Tensor empty(at::IntArrayRef sizes, MaybeDtype dtype, MaybeLayout, MaybeDevice device,
             std::optional<bool> /*pinned*/, std::optional<at::MemoryFormat> format) {
  const c10::OptionalDeviceGuard guard(device);
  return at::detail::empty_generic(sizes, &device_allocator(),
                                   c10::DispatchKeySet(c10::DispatchKey::CUDA),
                                   c10::dtype_or_default(dtype), format);
}

Tensor empty_strided(at::IntArrayRef sizes, at::IntArrayRef strides, MaybeDtype dtype, MaybeLayout,
                     MaybeDevice device, std::optional<bool> /*pinned*/) {
  const c10::OptionalDeviceGuard guard(device);
  return at::detail::empty_strided_generic(sizes, strides, &device_allocator(),
                                           c10::DispatchKeySet(c10::DispatchKey::CUDA),
                                           c10::dtype_or_default(dtype));
}

/// A copy between host and device is asynchronous only for page-locked memory (CUDA runtime API,
/// "API synchronization behavior").
void report_copy(const Tensor& into, const Tensor& from, bool non_blocking) {
  if (into.is_cuda() && from.is_cuda()) {
    report(c10::str("copy ", from.scalar_type(), " ", into.scalar_type()));
    report_work("copy", {.bytes = bytes_of(from) + bytes_of(into)}, into.scalar_type());
    return;
  }
  const Tensor& on_host = into.is_cuda() ? from : into;
  const std::string event = into.is_cuda() ? "copy to the device" : "copy to the host";
  non_blocking&& is_pinned(on_host.storage().data()) ? report(event) : report_wait(event);
}

Tensor& copy(Tensor& into, const Tensor& from, bool non_blocking) {
  TORCH_CHECK(!into.is_cuda() || !from.is_cuda() || into.device() == from.device(), "copy_ from ",
              from.device(), " to ", into.device());
  report_copy(into, from, non_blocking);
  const auto on_host = [](const Tensor& tensor) {
    return tensor.is_cuda() ? host_view(tensor) : tensor;
  };
  on_host(into).copy_(on_host(from));
  return into;
}

TORCH_LIBRARY_IMPL(_, CUDA, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&by_the_cpu>());
}

TORCH_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("empty.memory_format", empty);
  m.impl("empty_strided", empty_strided);
  m.impl("copy_", copy);
  // Views start no work on a device.
  m.impl("as_strided", at::native::as_strided_tensorimpl);
  m.impl("view", at::native::view);
  m.impl("_reshape_alias", at::native::_reshape_alias);
  // LibTorch has a CUDA kernel, and an expression of several operators for other devices, which it
  // would choose here before the fallback.
  const auto is_one_kernel = [](const std::string& name) {
    return name.starts_with("aten::_foreach_") || name == "aten::native_layer_norm";
  };
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    if (!is_one_kernel(name.name) || name.overload_name == "out") continue;
    m.impl(c10::toString(name).c_str(), torch::CppFunction::makeFromBoxedFunction<&by_the_cpu>());
  }
}

}  // namespace
}  // namespace rethink::fake_cuda
