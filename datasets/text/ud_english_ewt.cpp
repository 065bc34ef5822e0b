// Universal Dependencies' English Web Treebank as running text, one sentence per line. Its trees
// are its hints by default (datasets/text/syntax_hints.h).
#include "core/json.h"
#include "datasets/text/text_dataset.h"

namespace rethink {
namespace {

constexpr const char* kUdEnglishEwtName = "ud_english_ewt";
constexpr const char* kUrl =
    "https://raw.githubusercontent.com/UniversalDependencies/UD_English-EWT/"
    "15d613d8447b3478787d4c278730a1e48a945efb/";

struct Part {
  const char *split, *file, *sha256;
  int64_t bytes;
};
constexpr Part kParts[] = {
    {"train", "en_ewt-ud-train.conllu",
     "3fb78e2b55482c8ee00caa653af436c88c9e5bc9a73ce26e4ae3ddc79d2b7e7b", 14'203'025},
    {"dev", "en_ewt-ud-dev.conllu",
     "531a54ff90d6ab12201c5a50c3e78e6ddac4de69abc4bce5d275d3cd29efe2b6", 1'805'545},
    {"test", "en_ewt-ud-test.conllu",
     "e266e515a0a7547657ed3d90d9ba46487d6bd251f27ad4269d4e8a427c8555cd", 1'804'515},
};

std::vector<std::string> files() {
  std::vector<std::string> all;
  for (const Part& part : kParts) all.push_back(std::string(kUdEnglishEwtName) + "/" + part.file);
  return all;
}

struct UdEnglishEwtOptions : TextOptions {
  UdEnglishEwtOptions() { hints = files(); }
};

/// The words of each sentence, separated by spaces.
std::string sentence_lines(const std::filesystem::path& file) {
  std::string text;
  for (const DependencyTree& tree : read_dependency_trees(file))
    text += joined(tree.words, " ") + "\n";
  return text;
}

std::shared_ptr<TokenDataset> open_ud_english_ewt(const UdEnglishEwtOptions& options,
                                                  const DataFolders& folders) {
  const auto paths = require_files(kUdEnglishEwtName, folders, files());
  const auto read = [&] {
    std::vector<SplitText> splits;
    for (size_t i = 0; i < paths.size(); ++i)
      splits.push_back({kParts[i].split, sentence_lines(paths[i])});
    return splits;
  };
  return open_text({kUdEnglishEwtName, paths, Json::object(), read}, options, folders);
}

DatasetFacts ud_english_ewt_facts() {
  DatasetFacts all = text_facts("perplexity");
  for (const Part& part : kParts) {
    const std::string file = std::string(kUdEnglishEwtName) + "/" + part.file;
    all.splits.push_back(part.split);
    all.files[part.split] = {file};
    all.sources.push_back(
        plain_source(std::string(kUrl) + part.file, file, part.sha256, part.bytes));
  }
  return all;
}

RETHINK_REGISTERED = datasets().add<UdEnglishEwtOptions>(
    {.name = kUdEnglishEwtName,
     .summary = "English Web Treebank of Universal Dependencies: sentences, and their trees as "
                "hints",
     .facts = ud_english_ewt_facts()},
    open_ud_english_ewt);

}  // namespace
}  // namespace rethink
