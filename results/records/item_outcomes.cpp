#include "results/records/item_outcomes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/format/safetensors.h"

namespace rethink {
namespace {

/// The tensors of a split, by the part of their names after "SPLIT/".
class SplitTensors {
 public:
  SplitTensors(const std::filesystem::path& file, const std::string& split)
      : tensors_(file), split_(split + "/"), where_(file.string() + ": " + split_) {}

  /// Returns whether there is a tensor of this type.
  bool has(const std::string& name, Dtype dtype) const {
    return tensors_.has(split_ + name) && tensors_.at(split_ + name).dtype == dtype;
  }

  bool has(const std::string& name) const { return tensors_.has(split_ + name); }

  /// Returns the tensor of shape [N], or of [N,C] if T is an array of a row's C numbers.
  template <typename T>
  std::vector<T> values(const std::string& name, Dtype dtype) const {
    const TensorView& tensor = tensors_.at(split_ + name);
    const auto in_row = static_cast<int64_t>(sizeof(T) / bytes_of(dtype));
    std::vector<int64_t> expected = {tensor.shape.empty() ? 0 : tensor.shape[0]};
    if (in_row > 1) expected.push_back(in_row);
    if (tensor.dtype != dtype || tensor.shape != expected) {
      throw ConfigError("wrong-file", fmt::format("{}{}: got {} [{}], expected {} [{}]", where_,
                                                  name, to_text(tensor.dtype),
                                                  fmt::join(tensor.shape, ","), to_text(dtype),
                                                  in_row > 1 ? fmt::format("N,{}", in_row) : "N"));
    }
    std::vector<T> values(tensor.bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), tensor.bytes.data(), values.size() * sizeof(T));
    return values;
  }

  void require_equal(const std::string& name, size_t size, const std::string& other,
                     size_t size_of_other) const {
    if (size == size_of_other) return;
    throw ConfigError("wrong-count", fmt::format("{}{} has {} items, but {} has {}", where_, name,
                                                 size, other, size_of_other));
  }

 private:
  const SafetensorsFile tensors_;
  const std::string split_, where_;
};

void read_bleu_counts(const SplitTensors& tensors, ItemOutcomes& items) {
  items.bleu_counts = tensors.values<ItemOutcomes::BleuCounts>("bleu_counts", Dtype::i64);
  tensors.require_equal("nll", items.nll.size(), "bleu_counts", items.bleu_counts.size());
  items.bleu_smoothed =
      tensors.values<int64_t>("bleu_smoothed", Dtype::i64) == std::vector<int64_t>{1};
}

}  // namespace

size_t ItemOutcomes::size() const {
  if (!scores.empty()) return scores.begin()->second.size();
  return nll.empty() ? predicted.size() : nll.size();
}

bool may_be_of_the_same(const ItemOutcomes& one, const ItemOutcomes& other) {
  if (one.size() != other.size() || one.expected != other.expected) return false;
  if (one.bleu_counts.empty() || other.bleu_counts.empty()) return true;
  const auto reference_words = [](const ItemOutcomes::BleuCounts& counts) { return counts.back(); };
  return std::ranges::equal(one.bleu_counts, other.bleu_counts, {}, reference_words,
                            reference_words);
}

std::optional<ItemOutcomes> read_item_outcomes(const std::filesystem::path& file,
                                               const std::string& split) {
  const SplitTensors tensors(file, split);
  ItemOutcomes items;
  if (tensors.has("nll")) {
    items.nll = tensors.values<double>("nll", Dtype::f64);
    items.tokens = tensors.values<int64_t>("tokens", Dtype::i64);
    tensors.require_equal("nll", items.nll.size(), "tokens", items.tokens.size());
    if (tensors.has("bleu_counts")) read_bleu_counts(tensors, items);
    return items;
  }
  // Integers are tags of words, and are not read: words of a sentence are not independent items.
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
