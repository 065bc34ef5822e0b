// WMT 2017 English-German, tokenized by Moses, tested on newstest2014, as prepared by fairseq's
// prepare-wmt14en2de.sh. Words are split into pieces ("bel@@ len"), or whole, as in its folder tmp.
#include "datasets/translation/german_english.h"

namespace rethink {
namespace {

const GermanEnglishFiles kWmt17Files = {
    .name = "wmt17_en_de",
    .folder = "wmt17_en_de",
    .splits = {{"train", "train"}, {"dev", "valid"}, {"test", "test"}},
    .is_tokenized = true,
    .by_hand =
        "run fairseq's examples/translation/prepare-wmt14en2de.sh without --icml17 (so that "
        "it takes WMT 2017's news) and bring train, valid and test, each .en and .de, of "
        "the folder that it makes (or of tmp in it, before subword-nmt cut their words) to "
        "wmt17_en_de in the folder of data sets"};

struct Wmt17Options : GermanEnglishOptions {
  Wmt17Options() { source = "en"; }
};

RETHINK_REGISTERED = datasets().add<Wmt17Options>(
    {.name = "wmt17_en_de",
     .summary = "WMT 2017 English-German, news and parliament, tokenized (Bojar et al. 2017)",
     .revision = 2,
     .facts = german_english_facts(kWmt17Files)},
    [](const Wmt17Options& options, const DataFolders& folders) {
      return open_german_english(kWmt17Files, options, folders);
    });

}  // namespace
}  // namespace rethink
