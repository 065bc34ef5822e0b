// WikiText-2 (Merity et al., "Pointer sentinel mixture models", 2016): Wikipedia articles, tokenized, rare
// words as <unk>. Official files: one paragraph or heading a line.
#include "core/file.h"
#include "datasets/text_dataset.h"

namespace rethink {
namespace {

std::shared_ptr<Dataset> open_wikitext_2(const TextOptions& options, const DataFolders& folders) {
  const auto files = require_files(
      "wikitext_2", folders,
      {"wikitext-2/wiki.train.tokens", "wikitext-2/wiki.valid.tokens", "wikitext-2/wiki.test.tokens"});
  return open_text({.name = "wikitext_2",
                    .files = files,
                    .options = Json::object(),
                    .read =
                        [&] {
                          return std::vector<SplitText>{{"train", read_file(files[0])},
                                                        {"dev", read_file(files[1])},
                                                        {"test", read_file(files[2])}};
                        }},
                   options, folders);
}

const bool registered =
    datasets().add<TextOptions>({.name = "wikitext_2",
                                 .summary = "WikiText-2, 2 million words of Wikipedia (Merity et al. 2016)",
                                 .facts = {{"files",
                                            {{"train", {"wikitext-2/wiki.train.tokens"}},
                                             {"dev", {"wikitext-2/wiki.valid.tokens"}},
                                             {"test", {"wikitext-2/wiki.test.tokens"}}}},
                                           {"metric", "perplexity"}}},
                                open_wikitext_2);

}  // namespace
}  // namespace rethink
