// The King James Bible as running text, a verse a line: the example that needs no download beyond
// packages.
#include "core/json.h"
#include "datasets/text/kjv_verses.h"
#include "datasets/text/text_dataset.h"

namespace rethink {
namespace {

constexpr const char* kKjvName = "kjv";
constexpr double kDevShare = 0.05, kTestShare = 0.05;
constexpr uint64_t kSplitSeed = 1;

/// Without the reference before each verse ("Ge1:1 In the beginning" -> "In the beginning").
std::string lines() {
  std::string text;
  for (const Verse& verse : read_kjv(kKjvName)) text += verse.text + '\n';
  return text;
}

std::shared_ptr<TokenDataset> open_kjv(const TextOptions& options, const DataFolders& folders) {
  const auto read = [] { return hold_out_lines(lines(), kDevShare, kTestShare, kSplitSeed); };
  return open_text({kKjvName, {kjv_file(kKjvName)}, Json::object(), read}, options, folders);
}

DatasetFacts kjv_text_facts() {
  const DatasetFacts text = text_facts("perplexity");
  DatasetFacts all = kjv_facts();
  all.kind = text.kind;
  all.metric = text.metric;
  all.file_options = text.file_options;
  all.splits = {"train", "dev", "test"};
  all.packed = PackedText{.lines = 31'102,
                          .words = 789'634,
                          .characters = 4'137'850,
                          .dev = kDevShare,
                          .test = kTestShare};
  return all;
}

RETHINK_REGISTERED = datasets().add<TextOptions>(
    {.name = kKjvName,
     .summary = "the King James Bible, 31,102 verses, from Debian's package bible-kjv",
     .facts = kjv_text_facts()},
    open_kjv);

}  // namespace
}  // namespace rethink
