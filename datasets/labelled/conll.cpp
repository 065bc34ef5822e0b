// Entities in files of CoNLL's shared tasks (conll_file.h): by default CoNLL-2003's in English
// (Tjong Kim Sang and De Meulder, 2003). Its text is from Reuters and may not be downloaded freely.
#include <fmt/format.h>

#include "core/files/named_file.h"
#include "core/json.h"
#include "datasets/labelled/conll_file.h"
#include "datasets/labelled/tagged.h"

namespace rethink {
namespace {

struct ConllOptions {
  std::string train = "conll2003/eng.train", dev = "conll2003/eng.testa",
              test = "conll2003/eng.testb";
  int64_t column = 0;

  void fields(Fields& field) {
    // Files count by their content.
    field("train", train,
          "training file; relative paths start at the sweep's file or at the folder of data sets")
        .not_hashed();
    field("dev", dev, "dev file, found in the same way").not_hashed();
    field("test", test, "test file, found in the same way; empty: no test split").not_hashed();
    field("column", column, "column of the tag; 1 is the word's column, 0 the last column").min(0);
  }
};

std::shared_ptr<TaggedDataset> open_conll(const ConllOptions& options, const DataFolders& folders) {
  std::vector<TaggedSplit> splits;
  for (const auto& [name, file] : {std::pair{"train", options.train}, std::pair{"dev", options.dev},
                                   std::pair{"test", options.test}}) {
    if (file.empty() && std::string(name) == "test") continue;
    const std::filesystem::path path = folders.data / file;
    refuse_dangling_link(path);
    if (!std::filesystem::is_regular_file(path)) {
      throw TrialError("not-a-file", fmt::format("data set 'conll': {} is not a file; `{}` is "
                                                 "relative to the folder of --data or RETHINK_DATA",
                                                 path.string(), name));
    }
    // Refuses numbers, since trials that learned the numbers as words would seem to have learned the words.
    splits.push_back({name, read_conll(path, options.column, WordNumbers::refuse)});
  }
  return std::make_shared<TaggedDataset>("conll", std::move(splits));
}

DatasetFacts conll_facts() {
  DatasetFacts all = tagged_facts();
  all.file_options = {"train", "dev", "test"};
  all.splits = {"train", "dev", "test"};
  all.optional_splits = {{"test", "test"}};
  all.once_read = {"only_cr", "tab_cells"};
  return all;
}

RETHINK_REGISTERED = datasets().add<ConllOptions>(
    {.name = "conll",
     .summary = "words tagged with entities, one word per line (CoNLL-2003), in your own files",
     .facts = conll_facts()},
    open_conll);

}  // namespace
}  // namespace rethink
