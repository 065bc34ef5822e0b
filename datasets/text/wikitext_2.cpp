// WikiText-2: 2 million words of Wikipedia.
#include "datasets/text/wikitext.h"

namespace rethink {
namespace {

RETHINK_REGISTERED = datasets().add<TextOptions>(
    {.name = "wikitext_2",
     .summary = "WikiText-2, 2 million words of Wikipedia (Merity et al. 2016)",
     .facts = wikitext_facts(
         "wikitext-2", {.archive = kWikitext2Sha256,
                        .train = kWikitext2TrainSha256,
                        .valid = "f0737ed31fc1329026e95cb8b98e19c2a182c39c240ab909dc31abf2f8af58e8",
                        .test = "d790b833ef8cf03a90db7bf1271b7520b83c45ce07ba3c1a9699df81e239eca0",
                        .archive_bytes = kWikitext2Bytes})},
    [](const TextOptions& options, const DataFolders& folders) {
      return open_wikitext("wikitext_2", "wikitext-2", options, folders);
    });

}  // namespace
}  // namespace rethink
