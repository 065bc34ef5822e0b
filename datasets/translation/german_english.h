// Common parts of data sets of German and English translations: a folder with one file per language
// and split.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "datasets/translation/translations.h"

namespace rethink {

struct GermanEnglishOptions : TranslationOptions {
  std::string source = "de";

  void fields(Fields& field);
};

struct GermanEnglishFiles {
  std::string name;                                         // of the data set
  std::string folder;                                       // below the folder of data sets
  std::vector<std::pair<std::string, std::string>> splits;  // name, and files' name before .de
  bool is_tokenized;
  std::string by_hand;  // how to get the files: "bring ..."
};

DatasetFacts german_english_facts(const GermanEnglishFiles& files);

std::shared_ptr<TranslationDataset> open_german_english(const GermanEnglishFiles& files,
                                                        const GermanEnglishOptions& options,
                                                        const DataFolders& folders);

}  // namespace rethink
