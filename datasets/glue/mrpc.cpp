// MRPC: do two sentences of the news mean the same? (Dolan and Brockett, "Automatically
// constructing a corpus of sentential paraphrases", 2005). GLUE's dev split are the training pairs
// whose ids its list names; labels of the test split are published here, but not looked at.
#include <set>

#include "core/json.h"
#include "datasets/delimited.h"
#include "datasets/glue.h"

namespace rethink {
namespace {

const std::string kSentEval = "https://dl.fbaipublicfiles.com/senteval/senteval_data/";
const std::string kTrainFile = "MRPC/msr_paraphrase_train.txt",
                  kTestFile = "MRPC/msr_paraphrase_test.txt", kDevIdsFile = "MRPC/dev_ids.tsv";
const std::string kTrainHash = "60a9b09084528f0673eedee2b69cb941920f0b8cd0eeccefc464a98768457f89",
                  kTestHash = "a04e271090879aaba6423d65b94950c089298587d9c084bf9cd7439bd785f784",
                  kDevIdsHash = "971d7767d81b997fd9060ade0ec23c4fc31cbb226a55d1bd4a1bac474eb81dc7";

const std::string kTrainUrl = kSentEval + "msr_paraphrase_train.txt";
constexpr uint64_t kTrainBytes = 1'047'044;

const GlueTask kMrpcTask = {
    .name = "mrpc",
    .summary = "MRPC, paraphrases in the news (Dolan and Brockett 2005); F1",
    .columns = {.texts = {"#1 String", "#2 String"}, .label = "Quality", .index = "index"},
    .task = {.labels = {"0", "1"},
             .metrics = {"f1", "accuracy"},
             .other_names = {"not_equivalent", "equivalent"}},
    .files = {{.split = "train",
               .path = kTrainFile,
               .examples = 3668,
               .sha256 = kTrainHash,
               .url = kTrainUrl,
               .bytes = kTrainBytes},
              {.split = "dev",
               .path = kTrainFile,
               .examples = 408,
               .sha256 = kTrainHash,
               .url = kTrainUrl,
               .bytes = kTrainBytes},
              {.split = "test",
               .path = kTestFile,
               .examples = 1725,
               .sha256 = kTestHash,
               .submission = "MRPC.tsv",
               .url = kSentEval + "msr_paraphrase_test.txt",
               .bytes = 441'275}},
    .parting = {{.split = "dev",
                 .path = kDevIdsFile,
                 .examples = 408,
                 .sha256 = kDevIdsHash,
                 .url = kGlueAddress + "mrpc_dev_ids.tsv",
                 .bytes = 6'222}}};

using Ids = std::pair<std::string, std::string>;

std::set<Ids> read_dev_ids(const std::filesystem::path& file) {
  std::set<Ids> ids;
  DelimitedFile rows(file, '\t', Quoting::none);
  while (rows.next()) {
    if (rows.fields().size() != 2) Problems().refuse(rows.where(), "expected two ids");
    ids.emplace(rows.fields()[0], rows.fields()[1]);
  }
  return ids;
}

/// For each row of the training table, whether it belongs to dev.
std::vector<bool> rows_of_dev(const std::filesystem::path& glue) {
  const std::set<Ids> dev = read_dev_ids(glue / kDevIdsFile);
  std::vector<bool> found;
  DelimitedFile rows(glue / kTrainFile, '\t', Quoting::none);
  rows.next();  // the header
  while (rows.next()) {
    const auto& fields = rows.fields();
    found.push_back(fields.size() > 2 &&
                    dev.contains({std::string(fields[1]), std::string(fields[2])}));
  }
  return found;
}

std::vector<LabelledExample> read_split(const GlueFile& file, const std::filesystem::path& glue) {
  std::vector<LabelledExample> examples =
      read_labelled_table(glue / file.path, kMrpcTask.columns, kMrpcTask.task);
  if (file.path == kTestFile) return examples;
  const std::vector<bool> is_dev = rows_of_dev(glue);
  std::vector<LabelledExample> kept;
  for (size_t row = 0; row < examples.size(); ++row) {
    if (is_dev[row] != (file.split == "dev")) continue;
    examples[row].index = std::to_string(kept.size());
    kept.push_back(std::move(examples[row]));
  }
  return kept;
}

RETHINK_REGISTERED = datasets().add<GlueOptions>(
    {.name = "glue/mrpc", .summary = kMrpcTask.summary, .facts = glue_facts(kMrpcTask)},
    [](const GlueOptions& options, const DataFolders& folders) {
      return open_glue(kMrpcTask, options, folders, read_split);
    });

}  // namespace
}  // namespace rethink
