// The King James Bible as running text, a verse a line: the example that needs no download beyond
// packages.
#include "datasets/holdout.h"
#include "datasets/kjv_verses.h"

namespace rethink {
namespace {

constexpr const char* kName = "kjv";
constexpr double kDev = 0.05, kTest = 0.05;
constexpr uint64_t kSplitSeed = 1;

/// Without the reference before each ("Ge1:1 In the beginning" -> "In the beginning").
std::string lines() {
  std::string text;
  for (const Verse& verse : read_kjv(kName)) text += verse.text + '\n';
  return text;
}

std::shared_ptr<TokenDataset> open_kjv(const TextOptions& options, const DataFolders& folders) {
  const auto read = [] { return hold_out_lines(lines(), kDev, kTest, kSplitSeed); };
  return open_text({kName, {kjv_file(kName)}, Json::object(), read}, options, folders);
}

Json facts() {
  Json all = kjv_facts();
  all.update(text_facts("perplexity"));
  all["splits"] = {"train", "dev", "test"};
  return all;
}

RETHINK_REGISTERED = datasets().add<TextOptions>(
    {.name = kName,
     .summary = "the King James Bible, 31,102 verses, from Debian's package bible-kjv",
     .facts = facts()},
    open_kjv);

}  // namespace
}  // namespace rethink
