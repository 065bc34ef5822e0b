// Any UTF-8 text file: its lines are distributed over the splits, in the same way on every machine.
#include <fmt/format.h>

#include "core/error.h"
#include "core/files/named_file.h"
#include "core/json.h"
#include "datasets/files/text_lines.h"
#include "datasets/text/text_dataset.h"

namespace rethink {
namespace {

struct TextFileOptions : TextOptions {
  std::string path;
  double dev = 0.05, test = 0.05;
  int64_t split_seed = 1;

  void fields(Fields& field) {
    TextOptions::fields(field);
    // A file counts by its content.
    field("path", path,
          "the file; a relative path starts at the sweep's file or at the folder of data sets")
        .required()
        .not_hashed();
    field("dev", dev, "share of the lines that becomes dev").above(0).below(0.5);
    field("test", test, "share of the lines that becomes test").above(0).below(0.5);
    field("split_seed", split_seed,
          "seed of the choice of lines for dev and test, independent of a trial's seed")
        .min(0);
  }
};

std::shared_ptr<TokenDataset> open_text_file(const TextFileOptions& options,
                                             const DataFolders& folders) {
  const std::filesystem::path file = folders.data / options.path;
  refuse_dangling_link(file);
  if (!std::filesystem::is_regular_file(file)) {
    throw TrialError("not-a-file", fmt::format("data set 'text': {} is not a file; `path` is "
                                               "relative to the folder of --data or RETHINK_DATA",
                                               file.string()));
  }
  const auto read = [&] {
    return hold_out_lines(read_running_text(file), options.dev, options.test,
                          static_cast<uint64_t>(options.split_seed));
  };
  const Json own = {{"format", 2},
                    {"dev", options.dev},
                    {"test", options.test},
                    {"split_seed", options.split_seed}};
  return open_text({"text", {file}, own, read}, options, folders);
}

DatasetFacts text_file_facts() {
  DatasetFacts all = text_facts("perplexity", {"path"});
  all.splits = {"train", "dev", "test"};
  all.once_read = {"cr", "stray"};
  return all;
}

RETHINK_REGISTERED = datasets().add<TextFileOptions>(
    {.name = "text",
     .summary = "any UTF-8 text file, lines spread over train, dev and test",
     .facts = text_file_facts()},
    open_text_file);

}  // namespace
}  // namespace rethink
