#include "results/item_losses.h"

#include <fmt/format.h>

#include <cstring>

#include "core/safetensors.h"

namespace rethink {
namespace {

template <typename T>
std::vector<T> values_of(const TensorView& tensor, Dtype dtype, const std::string& what) {
  if (tensor.dtype != dtype || tensor.shape.size() != 1) {
    throw ConfigError(fmt::format("{}: got {} with {} dimensions, expected {} with one", what,
                                  to_text(tensor.dtype), tensor.shape.size(), to_text(dtype)));
  }
  std::vector<T> values(tensor.bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), tensor.bytes.data(), values.size() * sizeof(T));
  return values;
}

}  // namespace

ItemLosses read_item_losses(const std::filesystem::path& file, const std::string& split) {
  const SafetensorsFile tensors(file);
  const std::string where = file.string() + ": " + split;
  ItemLosses items{
      values_of<double>(tensors.at(split + "/nll"), Dtype::f64, where + "/nll"),
      values_of<int64_t>(tensors.at(split + "/tokens"), Dtype::i64, where + "/tokens")};
  if (items.nll.size() != items.tokens.size()) {
    throw ConfigError(fmt::format("{}: {} losses, but {} numbers of tokens", where,
                                  items.nll.size(), items.tokens.size()));
  }
  return items;
}

}  // namespace rethink
