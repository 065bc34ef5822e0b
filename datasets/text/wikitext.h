// Common parts of WikiText-2 and WikiText-103: three .tokens files, one paragraph or heading per
// line, tokenized, rare words as <unk> (Merity et al., "Pointer sentinel mixture models", 2016).
#pragma once

#include <cstdint>
#include <string>

#include "datasets/text/text_dataset.h"

namespace rethink {

/// SHA-256 of an archive and of its files, "" if unknown, and the archive's size.
struct WikitextPins {
  std::string archive{}, train{}, valid{}, test{};
  int64_t archive_bytes = 0;
};

/// SHA-256 of WikiText-2's archive, and of its training text.
inline constexpr const char* kWikitext2Sha256 =
    "92675f1d63015c1c8b51f1656a52d5bdbc33aafa60cc47a218a66e7ee817488c";
inline constexpr int64_t kWikitext2Bytes = 4'475'746;
inline constexpr const char* kWikitext2TrainSha256 =
    "9e9fa1ad55b1c2c95b08e37dd8e653f638fac2c6de904b79e813611eefbc985f";

/// Returns a data set's facts: its files below `folder`, and their sources.
DatasetFacts wikitext_facts(const std::string& folder, const WikitextPins& pins);

std::shared_ptr<TokenDataset> open_wikitext(const std::string& name, const std::string& folder,
                                            const TextOptions& options, const DataFolders& folders);

}  // namespace rethink
