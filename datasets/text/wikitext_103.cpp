// WikiText-103: 103 million words of Wikipedia; validation and test are WikiText-2's articles with
// fewer <unk>.
#include "datasets/text/wikitext.h"

namespace rethink {
namespace {

RETHINK_REGISTERED = datasets().add<TextOptions>(
    {.name = "wikitext_103",
     .summary = "WikiText-103, 103 million words of Wikipedia (Merity et al. 2016)",
     // The training file has no known hash of its own; the archive's hash covers it.
     .facts = wikitext_facts(
         "wikitext-103",
         {.archive = "242ba0f20b329cfdf1ccc61e9e9e5b59becf189db7f7a81cd2a0e2fc31539590",
          .train = "",
          .valid = "9aee9f52d6e77de6c7751fc5e7c44287db3ec0eaf15477098acc6b93c1c4250b",
          .test = "56db52eb157b1ab5c89646eef70510c1eca6e12a3bfdb99f0d6b05b4eacb75b9",
          .archive_bytes = 190'229'076})},
    [](const TextOptions& options, const DataFolders& folders) {
      return open_wikitext("wikitext_103", "wikitext-103", options, folders);
    });

}  // namespace
}  // namespace rethink
