// IWSLT 2014, talks, German and English, as prepared by fairseq's prepare-iwslt14.sh: tokenized by
// Moses and lower-cased. Words are split into its pieces ("bel@@ len"), or whole, as in its folder
// tmp.
#include "datasets/translation/german_english.h"

namespace rethink {
namespace {

const GermanEnglishFiles kIwslt14Files = {
    .name = "iwslt14",
    .folder = "iwslt14.tokenized.de-en",
    .splits = {{"train", "train"}, {"dev", "valid"}, {"test", "test"}},
    .is_tokenized = true,
    .by_hand =
        "run fairseq's examples/translation/prepare-iwslt14.sh and bring train, valid and "
        "test, each .de and .en, of its folder iwslt14.tokenized.de-en (or of tmp in it, "
        "before subword-nmt cut their words) to iwslt14.tokenized.de-en in the folder of "
        "data sets"};

RETHINK_REGISTERED = datasets().add<GermanEnglishOptions>(
    {.name = "iwslt14",
     .summary = "IWSLT 2014 German-English, talks, tokenized and lower-cased (Cettolo et al. 2014)",
     .revision = 2,
     .facts = german_english_facts(kIwslt14Files)},
    [](const GermanEnglishOptions& options, const DataFolders& folders) {
      return open_german_english(kIwslt14Files, options, folders);
    });

}  // namespace
}  // namespace rethink
