#include "datasets/pretraining/documents.h"

#include <iterator>

#include "datasets/splits.h"

namespace rethink {

std::vector<std::string> DocumentDataset::splits() const {
  return names_of(splits_);
}

const std::vector<Document>& DocumentDataset::documents(const std::string& split) const {
  return split_named(split, splits_, name_).documents;
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
