#include "models/tensors/tensor_file.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "core/error.h"

namespace rethink {
namespace {

Dtype dtype_of(const at::Tensor& tensor) {
  switch (tensor.scalar_type()) {
    case at::kFloat:
      return Dtype::f32;
    case at::kDouble:
      return Dtype::f64;
    case at::kBFloat16:
      return Dtype::bf16;
    case at::kHalf:
      return Dtype::f16;
    case at::kLong:
      return Dtype::i64;
    case at::kInt:
      return Dtype::i32;
    case at::kByte:
      return Dtype::u8;
    case at::kBool:
      return Dtype::boolean;
    default:
      break;
  }
  throw TrialError("unsupported-type", fmt::format("tensors of type {} cannot be saved",
                                                   c10::toString(tensor.scalar_type())));
}

at::ScalarType scalar_type_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::f32:
      return at::kFloat;
    case Dtype::f64:
      return at::kDouble;
    case Dtype::bf16:
      return at::kBFloat16;
    case Dtype::f16:
      return at::kHalf;
    case Dtype::i64:
      return at::kLong;
    case Dtype::i32:
      return at::kInt;
    case Dtype::u8:
      return at::kByte;
    case Dtype::boolean:
      return at::kBool;
    default:
      break;
  }
  throw TrialError("unsupported-type",
                   fmt::format("tensors of type {} cannot be loaded", to_text(dtype)));
}

TensorsByName on_cpu(const TensorsByName& tensors) {
  TensorsByName copies;
  for (const auto& [name, tensor] : tensors)
    copies[name] = tensor.detach().to(at::kCPU).contiguous();
  return copies;
}

}  // namespace

at::Tensor tensor_over(const TensorView& view) {
  // from_blob requires a mutable pointer, but the tensor is only read.
  auto* bytes = const_cast<std::byte*>(view.bytes.data());
  return at::from_blob(bytes, view.shape, at::TensorOptions().dtype(scalar_type_of(view.dtype)));
}

TensorViews views_of(const TensorsByName& tensors) {
  TensorViews views;
  for (const auto& [name, tensor] : tensors) {
    const auto* bytes = static_cast<const std::byte*>(tensor.const_data_ptr());
    views[name] = {dtype_of(tensor), tensor.sizes().vec(), {bytes, tensor.nbytes()}};
  }
  return views;
}

void write_tensors(const std::filesystem::path& file, const TensorsByName& tensors,
                   const std::map<std::string, std::string>& metadata) {
  const TensorsByName copies = on_cpu(tensors);
  write_safetensors(file, views_of(copies), metadata);
}

TensorsByName weights_of(const torch::nn::Module& module) {
  TensorsByName all;
  for (const auto& item : module.named_parameters()) all[item.key()] = item.value();
  for (const auto& item : module.named_buffers()) all[item.key()] = item.value();
  return all;
}

}  // namespace rethink
