// Plain text in the layouts that pretraining corpora come in, read into documents of sentences.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "datasets/pretraining/documents.h"

namespace rethink {

/// Names of the layouts:
///   lines          BERT's: sentences a line, an empty line between documents
///   book           Project Gutenberg's: one document, an empty line between paragraphs; header,
///                  licence and underscores of emphasis are left out
///   wikitext       WikiText's: a document begins at a heading of the first level; headings are
///                  left out, " @-@ " becomes "-" and <unk> [UNK]
///   wikiextractor  WikiExtractor's: <doc ...> a title, paragraphs </doc>; the title is left out
std::vector<std::string> document_layouts();

/// The layout of a text by its marks: a line that begins a book (core/format/gutenberg_marks.h), " = Title = "
/// or "<doc " at its beginning; lines where there is none.
std::string layout_of(std::string_view text);

/// Paragraphs are split into sentences by datasets/tokenizers/sentences.h, also within a line;
/// those without a letter or digit are left out. Requires: `layout` is one of the names, `text`
/// UTF-8. Throws ConfigError "line 812 ..." where a second book of Project Gutenberg follows the first.
std::vector<Document> documents_in(std::string_view text, const std::string& layout);

}  // namespace rethink
