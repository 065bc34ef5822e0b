// What WikiText-2 and WikiText-103 have in common: three .tokens files, one paragraph or heading a
// line, tokenized, rare words as <unk> (Merity et al., "Pointer sentinel mixture models", 2016).
#pragma once

#include <string>

#include "core/json_fwd.h"
#include "datasets/text_dataset.h"

namespace rethink {

/// SHA-256 of an archive and of the files in it; "" where it is not known.
struct WikitextPins {
  std::string archive{}, train{}, valid{}, test{};
};

/// A data set's facts: its files below `folder`, and where they come from.
Json wikitext_facts(const std::string& folder, const WikitextPins& pins);

std::shared_ptr<TokenDataset> open_wikitext(const std::string& name, const std::string& folder,
                                            const TextOptions& options, const DataFolders& folders);

}  // namespace rethink
