#include "datasets/documents.h"

#include <fmt/format.h>

#include <iterator>

#include "core/error.h"

namespace rethink {

std::vector<std::string> DocumentDataset::splits() const {
  std::vector<std::string> names;
  for (const DocumentSplit& split : splits_) names.push_back(split.name);
  return names;
}

const std::vector<Document>& DocumentDataset::documents(const std::string& split) const {
  for (const DocumentSplit& one : splits_) {
    if (one.name == split) return one.documents;
  }
  throw TrialError(
      fmt::format("data set '{}' has no split '{}'; it has {}", name_, split, joined(splits())));
}

std::vector<DocumentSplit> hold_out_ends(std::vector<Document> documents, double dev) {
  std::vector<DocumentSplit> splits = {{"train", {}}, {"dev", {}}};
  for (Document& document : documents) {
    const auto size = static_cast<double>(document.size());
    const auto held_out = static_cast<size_t>(size * dev);
    if (held_out >= 2 && held_out < document.size()) {
      const auto begin = document.end() - static_cast<ptrdiff_t>(held_out);
      splits[1].documents.emplace_back(std::make_move_iterator(begin),
                                       std::make_move_iterator(document.end()));
      document.erase(begin, document.end());
    }
    splits[0].documents.push_back(std::move(document));
  }
  return splits;
}

}  // namespace rethink
