#include "results/item_outcomes.h"

#include <fmt/format.h>

#include <cstring>

#include "core/safetensors.h"

namespace rethink {
namespace {

/// The tensors of one split, by their names behind "SPLIT/".
class SplitTensors {
 public:
  SplitTensors(const std::filesystem::path& file, const std::string& split)
      : tensors_(file), split_(split + "/"), where_(file.string() + ": " + split_) {}

  /// Whether there is one of this type.
  bool has(const std::string& name, Dtype dtype) const {
    return tensors_.has(split_ + name) && tensors_.at(split_ + name).dtype == dtype;
  }

  bool has(const std::string& name) const { return tensors_.has(split_ + name); }

  template <typename T>
  std::vector<T> values(const std::string& name, Dtype dtype) const {
    const TensorView& tensor = tensors_.at(split_ + name);
    if (tensor.dtype != dtype || tensor.shape.size() != 1) {
      throw ConfigError(fmt::format("{}{}: got {} with {} dimensions, expected {} with one", where_,
                                    name, to_text(tensor.dtype), tensor.shape.size(),
                                    to_text(dtype)));
    }
    std::vector<T> values(tensor.bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), tensor.bytes.data(), values.size() * sizeof(T));
    return values;
  }

  void require_equal(const std::string& name, size_t size, const std::string& other,
                     size_t size_of_other) const {
    if (size == size_of_other) return;
    throw ConfigError(
        fmt::format("{}{} is of {} items, but {} of {}", where_, name, size, other, size_of_other));
  }

 private:
  const SafetensorsFile tensors_;
  const std::string split_, where_;
};

}  // namespace

size_t ItemOutcomes::size() const {
  if (!scores.empty()) return scores.begin()->second.size();
  return nll.empty() ? predicted.size() : nll.size();
}

std::optional<ItemOutcomes> read_item_outcomes(const std::filesystem::path& file,
                                               const std::string& split) {
  const SplitTensors tensors(file, split);
  ItemOutcomes items;
  if (tensors.has("nll")) {
    items.nll = tensors.values<double>("nll", Dtype::f64);
    items.tokens = tensors.values<int64_t>("tokens", Dtype::i64);
    tensors.require_equal("nll", items.nll.size(), "tokens", items.tokens.size());
    return items;
  }
  // Whole numbers are tags of words, and words of one sentence are no items of their own.
  if (tensors.has("predicted", Dtype::f64)) {
    items.predicted = tensors.values<double>("predicted", Dtype::f64);
    items.expected = tensors.values<double>("expected", Dtype::f64);
    tensors.require_equal("predicted", items.predicted.size(), "expected", items.expected.size());
    return items;
  }
  if (!tensors.has("exact")) return std::nullopt;
  for (const char* name : {"exact", "f1"})
    items.scores[name] = tensors.values<double>(name, Dtype::f64);
  tensors.require_equal("exact", items.size(), "f1", items.scores.at("f1").size());
  return items;
}

}  // namespace rethink
