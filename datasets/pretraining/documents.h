// Documents of sentences, for pretraining (kind "documents" of dataset.h): text, which a trial's
// own WordPiece turns into ids (datasets/pretraining/pretraining_pairs.h).
#pragma once

#include <string>
#include <vector>

#include "datasets/dataset.h"

namespace rethink {

using Document = std::vector<std::string>;  // sentences, in order; at least one

struct DocumentSplit {
  std::string name;
  std::vector<Document> documents;
};

class DocumentDataset : public Dataset {
 public:
  DocumentDataset(std::string name, std::vector<DocumentSplit> splits)
      : name_(std::move(name)), splits_(std::move(splits)) {}

  std::vector<std::string> splits() const override;
  /// Throws TrialError when there is no such split.
  const std::vector<Document>& documents(const std::string& split) const;

 private:
  std::string name_;
  std::vector<DocumentSplit> splits_;
};

/// Parts each document in two: the last `dev` of its sentences belong to dev, so that dev has a
/// share of every document and no sentence that training saw; what would be less than two sentences
/// stays with train.
std::vector<DocumentSplit> hold_out_ends(std::vector<Document> documents, double dev);

}  // namespace rethink
