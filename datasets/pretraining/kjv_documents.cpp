// The King James Bible for pretraining: a book is a document, a verse a sentence. Needs no download
// beyond packages.
#include "core/json.h"
#include "datasets/pretraining/documents.h"
#include "datasets/text/kjv_verses.h"

namespace rethink {
namespace {

constexpr const char* kKjvDocumentsName = "kjv_documents";

struct KjvDocumentsOptions {
  double dev = 0.05;

  void fields(Fields& field) {
    field("dev", dev, "share of each book's verses that becomes dev, taken from the book's end")
        .above(0)
        .below(0.5);
  }
};

std::shared_ptr<DocumentDataset> open_kjv_documents(const KjvDocumentsOptions& options,
                                                    const DataFolders&) {
  std::vector<Document> books;
  std::string book;
  for (Verse& verse : read_kjv(kKjvDocumentsName)) {
    if (verse.book != book) books.emplace_back();
    books.back().push_back(std::move(verse.text));
    book = std::move(verse.book);
  }
  return std::make_shared<DocumentDataset>(kKjvDocumentsName,
                                           hold_out_ends(std::move(books), options.dev));
}

DatasetFacts kjv_documents_facts() {
  DatasetFacts all = kjv_facts();
  all.kind = "documents";
  all.splits = {"train", "dev"};
  all.metric = "loss";
  return all;
}

RETHINK_REGISTERED = datasets().add<KjvDocumentsOptions>(
    {.name = kKjvDocumentsName,
     .summary = "the King James Bible as 66 documents of verses, from Debian's package bible-kjv",
     .facts = kjv_documents_facts()},
    open_kjv_documents);

}  // namespace
}  // namespace rethink
