#include "datasets/text/wikitext.h"

#include "core/json.h"
#include "datasets/files/text_lines.h"

namespace rethink {

DatasetFacts wikitext_facts(const std::string& folder, const WikitextPins& pins) {
  const std::string train = folder + "/wiki.train.tokens", valid = folder + "/wiki.valid.tokens",
                    test = folder + "/wiki.test.tokens";
  const auto member = [](const std::string& file, const std::string& sha256) {
    return SourceFile{.file = file, .member = file, .sha256 = sha256};
  };
  DatasetFacts facts = text_facts("perplexity");
  facts.files = {{"train", {train}}, {"dev", {valid}}, {"test", {test}}};
  facts.splits = {"train", "dev", "test"};
  facts.once_read = {"bom", "crlf", "cr", "not_utf8", "stray"};
  facts.sources = {
      {.url = "https://s3.amazonaws.com/research.metamind.io/wikitext/" + folder + "-v1.zip",
       .sha256 = pins.archive,
       .files = {member(train, pins.train), member(valid, pins.valid), member(test, pins.test)},
       .bytes = pins.archive_bytes}};
  return facts;
}

std::shared_ptr<TokenDataset> open_wikitext(const std::string& name, const std::string& folder,
                                            const TextOptions& options,
                                            const DataFolders& folders) {
  const auto files = require_files(
      name, folders,
      {folder + "/wiki.train.tokens", folder + "/wiki.valid.tokens", folder + "/wiki.test.tokens"});
  const auto read = [&] {
    return std::vector<SplitText>{{"train", read_running_text(files[0])},
                                  {"dev", read_running_text(files[1])},
                                  {"test", read_running_text(files[2])}};
  };
  return open_text({name, files, Json::object(), read}, options, folders);
}

}  // namespace rethink
