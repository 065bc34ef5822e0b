#include "datasets/translation/german_english.h"

#include "core/json.h"
#include "datasets/dataset.h"

namespace rethink {
namespace {

/// German first.
std::vector<std::string> language_files(const GermanEnglishFiles& files, const std::string& stem) {
  return {files.folder + "/" + stem + ".de", files.folder + "/" + stem + ".en"};
}

}  // namespace

void GermanEnglishOptions::fields(Fields& field) {
  TranslationOptions::fields(field);
  field("source", source, "source language; the other language is the target").one_of({"de", "en"});
}

DatasetFacts german_english_facts(const GermanEnglishFiles& files) {
  DatasetFacts facts = translation_facts();
  facts.by_hand = files.by_hand;
  for (const auto& [split, stem] : files.splits) {
    facts.splits.push_back(split);
    facts.files[split] = language_files(files, stem);
  }
  return facts;
}

std::shared_ptr<TranslationDataset> open_german_english(const GermanEnglishFiles& files,
                                                        const GermanEnglishOptions& options,
                                                        const DataFolders& folders) {
  std::vector<std::string> names, splits;
  for (const auto& [split, stem] : files.splits) {
    splits.push_back(split);
    for (const std::string& file : language_files(files, stem)) names.push_back(file);
  }
  const std::vector<std::filesystem::path> paths = require_files(files.name, folders, names);
  const size_t source = options.source == "de" ? 0 : 1;
  const auto read = [&](size_t split) {
    return read_parallel(paths[2 * split + source], paths[2 * split + 1 - source]);
  };
  return open_translations({.name = files.name,
                            .files = paths,
                            .options = {{"source", options.source}},
                            .is_tokenized = files.is_tokenized,
                            .splits = splits,
                            .read = read},
                           options, folders);
}

}  // namespace rethink
