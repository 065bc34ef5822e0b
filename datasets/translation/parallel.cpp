// Translations in the user's own files, one sentence per line.
#include <fmt/format.h>

#include "core/error.h"
#include "core/files/named_file.h"
#include "core/json.h"
#include "datasets/translation/translations.h"

namespace rethink {
namespace {

struct ParallelOptions : TranslationOptions {
  std::string train_source, train_target, dev_source, dev_target, test_source, test_target;
  bool tokenized = false;

  void fields(Fields& field) {
    TranslationOptions::fields(field);
    // Files count by their content.
    field("train_source", train_source,
          "training sentences; a relative path starts at the sweep's file or at the folder of data "
          "sets")
        .required()
        .not_hashed();
    field("train_target", train_target, "translations of train_source, line by line")
        .required()
        .not_hashed();
    field("dev_source", dev_source, "dev sentences, found in the same way").required().not_hashed();
    field("dev_target", dev_target, "translations of dev_source").required().not_hashed();
    field("test_source", test_source, "test sentences, found in the same way; empty: no test split")
        .not_hashed();
    field("test_target", test_target, "translations of test_source; empty: no test split")
        .not_hashed();
    field("tokenized", tokenized,
          "the text is already split into words by spaces: BLEU counts these words (Moses' "
          "multi-bleu), not sacreBLEU's words");
  }

  static std::vector<Rule> rules() {
    const std::string both = "give both test_source and test_target, or neither";
    return {needs_one_of("test_source", "", "test_target", {""}, both),
            needs_one_of("test_target", "", "test_source", {""}, both)};
  }
};

std::shared_ptr<TranslationDataset> open_parallel(const ParallelOptions& options,
                                                  const DataFolders& folders) {
  if (options.test_source.empty() != options.test_target.empty()) {
    throw ConfigError("missing-key",
                      "data set 'parallel': give both test_source and test_target, or neither");
  }
  std::vector<std::string> splits = {"train", "dev"};
  std::vector<std::filesystem::path> files;
  for (const std::string& file :
       {options.train_source, options.train_target, options.dev_source, options.dev_target})
    files.push_back(folders.data / file);
  if (!options.test_source.empty()) {
    splits.push_back("test");
    for (const std::string& file : {options.test_source, options.test_target})
      files.push_back(folders.data / file);
  }
  for (const std::filesystem::path& file : files) {
    if (std::filesystem::is_regular_file(file)) continue;
    refuse_dangling_link(file);
    throw TrialError("not-a-file", fmt::format("data set 'parallel': {} is not a file; paths are "
                                               "relative to the folder of --data or RETHINK_DATA",
                                               file.string()));
  }
  const auto read = [&](size_t split) {
    return read_parallel(files[2 * split], files[2 * split + 1]);
  };
  return open_translations({.name = "parallel",
                            .files = files,
                            .options = Json::object(),
                            .is_tokenized = options.tokenized,
                            .splits = splits,
                            .read = read},
                           options, folders);
}

DatasetFacts parallel_facts() {
  DatasetFacts all = translation_facts(
      {"train_source", "train_target", "dev_source", "dev_target", "test_source", "test_target"});
  all.splits = {"train", "dev", "test"};
  all.optional_splits = {{"test", "test_source"}};
  all.once_read = {"only_cr"};
  return all;
}

RETHINK_REGISTERED = datasets().add<ParallelOptions>(
    {.name = "parallel",
     .summary = "sentences and their translations, line by line, in your own files",
     .revision = 2,
     .facts = parallel_facts()},
    open_parallel);

}  // namespace
}  // namespace rethink
