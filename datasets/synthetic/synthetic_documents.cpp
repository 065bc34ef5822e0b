// Documents that need no file. The words of a document's topic fill its sentences, so that the next
// sentence differs from a random one. Within a sentence, every second word determines the next
// word, so that masked words can be learned from their neighbours.
#include "core/json.h"
#include "datasets/pretraining/documents.h"
#include "datasets/synthetic/synthetic_words.h"

namespace rethink {
namespace {

struct SyntheticDocumentsOptions {
  int64_t documents = 200;
  int64_t sentences = 30;
  int64_t length = 12;
  int64_t topics = 10;
  int64_t words = 40;
  double dev = 0.1;
  int64_t seed = 1;

  void fields(Fields& field) {
    field("documents", documents, "number of documents, including dev").min(2);
    field("sentences", sentences, "sentences per document").min(4);
    field("length", length, "longest sentence; the shortest is half as long [words]").min(4);
    field("topics", topics, "number of topics").min(2);
    field("words", words,
          "words of each topic that begin a pair; two words may follow each of them")
        .min(2);
    field("dev", dev,
          "share of each document's sentences that becomes dev, taken from the document's end")
        .above(0)
        .below(0.5);
    field("seed", seed, "seed of the documents, independent of a trial's seed").min(0);
  }
};

constexpr uint64_t kDocumentStream = 0x646f63756d656e00;  // "document" in ASCII
constexpr uint64_t kFollowers = 2;

std::string sentence(const SyntheticDocumentsOptions& options, uint64_t topic,
                     PhiloxStream& random) {
  const int64_t length = synthetic_length(options.length, random);
  const auto leaders = static_cast<uint64_t>(options.words);
  const uint64_t all_leaders = leaders * static_cast<uint64_t>(options.topics);
  std::string text;
  uint64_t leader = 0;
  for (int64_t place = 0; place < length; ++place) {
    if (place % 2 == 0) leader = topic * leaders + random.below(leaders);
    const uint64_t follower = all_leaders + leader * kFollowers + random.below(kFollowers);
    text += (text.empty() ? "" : " ") + synthetic_word(place % 2 == 0 ? leader : follower);
  }
  return text + " .";
}

std::shared_ptr<DocumentDataset> open_synthetic_documents(const SyntheticDocumentsOptions& options,
                                                          const DataFolders&) {
  std::vector<Document> documents;
  for (int64_t number = 0; number < options.documents; ++number) {
    PhiloxStream random(
        {static_cast<uint64_t>(options.seed), kDocumentStream + static_cast<uint64_t>(number)});
    const uint64_t topic = random.below(static_cast<uint64_t>(options.topics));
    Document& document = documents.emplace_back();
    for (int64_t i = 0; i < options.sentences; ++i)
      document.push_back(sentence(options, topic, random));
  }
  return std::make_shared<DocumentDataset>("synthetic_documents",
                                           hold_out_ends(std::move(documents), options.dev));
}

RETHINK_REGISTERED = datasets().add<SyntheticDocumentsOptions>(
    {.name = "synthetic_documents",
     .summary = "documents with topics, made of pairs of words; needs no file",
     .facts = {.kind = "documents", .splits = {"train", "dev"}, .metric = "loss"}},
    open_synthetic_documents);

}  // namespace
}  // namespace rethink
