// SWAG: which of four sentences continues a video's caption (Zellers et al., "SWAG: a large-scale
// adversarial dataset for grounded commonsense inference", 2018). The first sentence is one part of
// a pair; the beginning of the second sentence with an ending is the other (Devlin et al. 2019,
// section 4.4).
#include "core/json.h"
#include "datasets/dataset.h"
#include "datasets/labelled/endings.h"

namespace rethink {
namespace {

struct SwagOptions : LabelledOptions {
  bool test = false;

  void fields(Fields& field) {
    LabelledOptions::fields(field);
    field("test", test, "also predict the test split; only its authors know the labels");
  }
};

std::shared_ptr<LabelledDataset> open_swag(const SwagOptions& options, const DataFolders& folders) {
  std::vector<std::pair<std::string, std::string>> wanted = {{"train", "swag/train.csv"},
                                                             {"dev", "swag/val.csv"}};
  if (options.test) wanted.emplace_back("test", "swag/test.csv");
  std::vector<std::string> names;
  for (const auto& [split, file] : wanted) names.push_back(file);
  const auto files = require_files("swag", folders, names);
  std::vector<LabelledSplit> splits;
  for (size_t i = 0; i < files.size(); ++i)
    splits.push_back({wanted[i].first, read_swag(files[i])});
  return std::make_shared<LabelledDataset>("swag", four_endings(), std::move(splits), options);
}

DatasetFacts swag_facts() {
  DatasetFacts facts = labelled_facts(four_endings());
  facts.files = {{"train", {"swag/train.csv"}}, {"dev", {"swag/val.csv"}}};
  facts.files_if = {{"test", {{"test", {"swag/test.csv"}}}}};
  facts.splits = {"train", "dev", "holdout"};
  facts.unlabelled = {"test"};
  facts.examples = {{"train", 73546}, {"dev", 20006}, {"test", 20005}};
  // Hashes that Hugging Face's library `datasets` listed in 2020.
  constexpr struct {
    const char *file, *sha256;
    int64_t bytes;
  } kFiles[] = {
      {"train.csv", "5748b51126ac255c5a6f26e1ba473b51116d6c822aeb25e63ecba282c9d0e610", 28'243'333},
      {"val.csv", "c0497b2cd7f3e6b7df995524b1853f62285d60d110d659b19545ca80b2903234", 7'893'588},
      {"test.csv", "a689a1a4e892a65ca625c1f0fcf77bcce004b59ad1caeb134ca5ec080a711cb6", 7'817'885}};
  for (const auto& [name, sha256, bytes] : kFiles) {
    const std::string file = name;
    facts.sources.push_back(
        plain_source("https://raw.githubusercontent.com/rowanz/swagaf/master/data/" + file,
                     "swag/" + file, sha256, bytes));
  }
  return facts;
}

RETHINK_REGISTERED = datasets().add<SwagOptions>(
    {.name = "swag",
     .summary = "SWAG, the right one of four endings (Zellers et al. 2018); accuracy",
     .facts = swag_facts()},
    open_swag);

}  // namespace
}  // namespace rethink
