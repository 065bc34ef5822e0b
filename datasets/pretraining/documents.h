// Documents of sentences, for pretraining (kind "documents" of datasets/dataset.h): text, which a
// trial's own WordPiece turns into ids (datasets/pretraining/masked_pairs.h); and the layouts of
// plain text that are read into documents.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
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
  /// `vocabulary` is a file of WordPieces for these texts; "" = none.
  DocumentDataset(std::string name, std::vector<DocumentSplit> splits,
                  std::filesystem::path vocabulary = {})
      : name_(std::move(name)), splits_(std::move(splits)), vocabulary_(std::move(vocabulary)) {}

  std::vector<std::string> splits() const override;
  /// Throws TrialError when there is no such split.
  const std::vector<Document>& documents(const std::string& split) const;
  const std::filesystem::path& vocabulary() const { return vocabulary_; }

 private:
  std::string name_;
  std::vector<DocumentSplit> splits_;
  std::filesystem::path vocabulary_;
};

/// Divides each document: the last share `dev` of its sentences belongs to dev, so that dev has a
/// part of every document and no sentence of training. A part of fewer than two sentences stays
/// with train.
std::vector<DocumentSplit> hold_out_ends(std::vector<Document> documents, double dev);

/// Names of the layouts of pretraining corpora:
///   lines          BERT's: one sentence per line, an empty line between documents
///   book           Project Gutenberg's: one document, an empty line between paragraphs. Header,
///                  licence and the underscores of emphasis are left out.
///   wikitext       WikiText's: a document begins at a heading of the first level. Headings are
///                  left out, " @-@ " becomes "-", and <unk> becomes [UNK].
///   wikiextractor  WikiExtractor's: <doc ...> a title, paragraphs </doc>. The title is left out.
std::vector<std::string> document_layouts();

/// Returns the layout of a text by its marks: a line that begins a book (core/format/gutenberg_marks.h), " = Title = "
/// or "<doc " at its beginning; without a mark, lines.
std::string layout_of(std::string_view text);

/// Returns the documents of a text. Paragraphs are split into sentences by
/// datasets/tokenizers/sentences.h, also within a line. Sentences without a letter or digit are
/// left out. Requires: `layout` is one of the names, `text` is UTF-8. Throws ConfigError "line 812
/// ..." if a second book of Project Gutenberg follows the first.
std::vector<Document> documents_in(std::string_view text, const std::string& layout);

}  // namespace rethink
