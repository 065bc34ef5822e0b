// Multi30k (Elliott et al., 2016): captions of pictures, raw text; the Flickr test sets of WMT 2016
// and 2017.
#include "datasets/translation/german_english.h"

namespace rethink {
namespace {

const GermanEnglishFiles kMulti30kFiles = {
    .name = "multi30k",
    .folder = "multi30k",
    .splits = {{"train", "train"},
               {"dev", "val"},
               {"test", "test_2016_flickr"},
               {"test_2017", "test_2017_flickr"}},
    .is_tokenized = false,
    .by_hand =
        "bring train, val, test_2016_flickr and "
        "test_2017_flickr, each .de.gz and .en.gz, of "
        "github.com/multi30k/dataset, folder data/task1/raw, "
        "unpacked (gunzip) to multi30k in the folder of "
        "data sets"};

RETHINK_REGISTERED = datasets().add<GermanEnglishOptions>(
    {.name = "multi30k",
     .summary = "29,000 captions of pictures in German and English (Elliott et al. 2016)",
     .facts = german_english_facts(kMulti30kFiles)},
    [](const GermanEnglishOptions& options, const DataFolders& folders) {
      return open_german_english(kMulti30kFiles, options, folders);
    });

}  // namespace
}  // namespace rethink
