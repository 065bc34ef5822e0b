// The nine tasks of GLUE (Wang et al., "GLUE: a multi-task benchmark and analysis platform for natural language
// understanding", 2019), one entry each in a table. The tables are in glue/, downloaded from the benchmark's archives.
// Test splits have no labels and are read only if the option `test` requests them.
#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/json.h"
#include "datasets/dataset.h"
#include "datasets/files/delimited.h"
#include "datasets/labelled/labelled_table.h"

namespace rethink {
namespace {

/// One split.
struct GlueFile {
  std::string split, path;  // path of its table, below glue/ and in the archive
  int64_t examples;         // as published
  std::string sha256;       // "" if unknown
  std::string
      submission{};   // the name of its predictions on GLUE's server, if only the server has labels
  std::string url{};  // the address, if the file is published separately
  std::string metric{};  // the server's metric, if it is not the task's first
  int64_t bytes = 0;     // of a file that is published separately
};

struct GlueTask {
  std::string name, summary;  // "cola"
  TableColumns columns;
  LabelledTask task;
  std::vector<GlueFile> files;
  std::string archive{}, sha256{};  // its name at the benchmark's address
  int64_t bytes = 0;                // of the archive
  std::vector<GlueFile>
      dev_ids{};  // for a table that train and dev share: the list of dev's rows; at most one
};

const std::string kGlueAddress = "https://dl.fbaipublicfiles.com/glue/data/";

const std::string kSentEval = "https://dl.fbaipublicfiles.com/senteval/senteval_data/";
const std::string kTrainFile = "MRPC/msr_paraphrase_train.txt",
                  kTestFile = "MRPC/msr_paraphrase_test.txt", kDevIdsFile = "MRPC/dev_ids.tsv";
const std::string kTrainHash = "60a9b09084528f0673eedee2b69cb941920f0b8cd0eeccefc464a98768457f89",
                  kTestHash = "a04e271090879aaba6423d65b94950c089298587d9c084bf9cd7439bd785f784",
                  kDevIdsHash = "971d7767d81b997fd9060ade0ec23c4fc31cbb226a55d1bd4a1bac474eb81dc7";

const std::string kTrainUrl = kSentEval + "msr_paraphrase_train.txt";
constexpr int64_t kTrainBytes = 1'047'044;

const std::vector<GlueTask> kGlueTasks = {
    // CoLA: is a sentence acceptable English? (Warstadt et al., "Neural network acceptability
    // judgments", 2019). Its train and dev tables have no header.
    {.name = "cola",
     .summary = "CoLA, acceptability of sentences (Warstadt et al. 2019); Matthews correlation",
     .columns = {.texts = {"sentence"},
                 .label = "label",
                 .index = "index",
                 .without_header = {"source", "label", "original_judgement", "sentence"}},
     .task = {.labels = {"0", "1"},
              .metrics = {"mcc", "accuracy"},
              .other_names = {"unacceptable", "acceptable"}},
     .files =
         {
             {"train", "CoLA/train.tsv", 8551, ""},
             {"dev", "CoLA/dev.tsv", 1043,
              "8c013e21dc39957cac37378d87bebe225b694a0d5fe13eded66c2856628833fd"},
             {"test", "CoLA/test.tsv", 1063, "", "CoLA.tsv"},
         },
     .archive = "CoLA.zip",
     .sha256 = "f212fcd832b8f7b435fb991f101abf89f96b933ab400603bf198960dfc32cbff",
     .bytes = 376'971},
    // MNLI: does a sentence follow from another, contradict it, or neither? (Williams et al., "A
    // broad-coverage challenge corpus for sentence understanding through inference", 2018). Dev and
    // test have a part of the training data's genres (matched: `dev`, `test`) and a part of other
    // genres (`dev_mismatched`, `test_mismatched`). MNLI's model also predicts GLUE's diagnostic
    // table (`diagnostic`).
    {.name = "mnli",
     .summary = "MNLI, entailment in many genres (Williams et al. 2018); accuracy",
     .columns = {.texts = {"sentence1", "sentence2"}, .label = "gold_label", .index = "index"},
     .task = {.labels = {"entailment", "neutral", "contradiction"}, .metrics = {"accuracy"}},
     .files = {{"train", "MNLI/train.tsv", 392702, ""},
               {"dev", "MNLI/dev_matched.tsv", 9815, ""},
               {"dev_mismatched", "MNLI/dev_mismatched.tsv", 9832, ""},
               {"test", "MNLI/test_matched.tsv", 9796, "", "MNLI-m.tsv"},
               {"test_mismatched", "MNLI/test_mismatched.tsv", 9847, "", "MNLI-mm.tsv"},
               {"diagnostic", "AX/diagnostic.tsv", 1104,
                "0e13510b1bb14436ff7e2ee82338f0efb0133ecf2e73507a697dc210db3f05fd", "AX.tsv",
                kGlueAddress + "AX.tsv", "mcc", 222'257}},
     .archive = "MNLI.zip",
     .sha256 = "e7c1d896d26ed6caf700110645df426cc2d8ebf02a5ab743d5a5c68ac1c83633",
     .bytes = 312'783'507},
    // MRPC: do two sentences of the news mean the same? (Dolan and Brockett, "Automatically
    // constructing a corpus of sentential paraphrases", 2005). GLUE's dev split consists of the
    // training pairs whose ids its list names. Labels of the test split are published here, but not
    // used.
    {.name = "mrpc",
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
     .dev_ids = {{.split = "dev",
                  .path = kDevIdsFile,
                  .examples = 408,
                  .sha256 = kDevIdsHash,
                  .url = kGlueAddress + "mrpc_dev_ids.tsv",
                  .bytes = 6'222}}},
    // QNLI: does a sentence answer a question of SQuAD? (version 2 of GLUE's, Wang et al. 2019)
    {.name = "qnli",
     .summary = "QNLI, does a sentence answer a question of SQuAD (Wang et al. 2019); accuracy",
     .columns = {.texts = {"question", "sentence"}, .label = "label", .index = "index"},
     .task = {.labels = {"entailment", "not_entailment"}, .metrics = {"accuracy"}},
     .files =
         {
             {"train", "QNLI/train.tsv", 104743, ""},
             {"dev", "QNLI/dev.tsv", 5463,
              "ac19409dcb04631eaaa094bdebdcf621086bc352503dfb6a1a648b614986f4fd"},
             {"test", "QNLI/test.tsv", 5463, "", "QNLI.tsv"},
         },
     .archive = "QNLIv2.zip",
     .sha256 = "e634e78627a29adaecd4f955359b22bf5e70f2cbd93b493f2d624138a0c0e5f5",
     .bytes = 10'627'589},
    // QQP: do two questions of Quora ask the same? A few rows of its tables lack columns and are
    // skipped, as in GLUE's readers.
    {.name = "qqp",
     .summary = "QQP, duplicate questions of Quora (Iyer et al. 2017); F1",
     .columns = {.texts = {"question1", "question2"},
                 .label = "is_duplicate",
                 .index = "id",
                 .skips_short_rows = true},
     .task = {.labels = {"0", "1"},
              .metrics = {"f1", "accuracy"},
              .other_names = {"not_duplicate", "duplicate"}},
     .files =
         {
             {"train", "QQP/train.tsv", 363846, ""},
             {"dev", "QQP/dev.tsv", 40430, ""},
             {"test", "QQP/test.tsv", 390965, "", "QQP.tsv"},
         },
     .archive = "QQP-clean.zip",
     .sha256 = "40e7c862c04eb26ee04b67fd900e76c45c6ba8e6d8fab4f8f1f8072a1a3fbae0",
     .bytes = 41'696'084},
    // RTE: does a sentence follow from another? (the entailment challenges 1, 2, 3 and 5; Bentivogli et
    // al. 2009)
    {.name = "rte",
     .summary = "RTE, entailment challenges 1, 2, 3 and 5 (Bentivogli et al. 2009); accuracy",
     .columns = {.texts = {"sentence1", "sentence2"}, .label = "label", .index = "index"},
     .task = {.labels = {"entailment", "not_entailment"}, .metrics = {"accuracy"}},
     .files =
         {
             {"train", "RTE/train.tsv", 2490, ""},
             {"dev", "RTE/dev.tsv", 277,
              "80230dfa1347282e7b532b06a1004a76a710087541189bf874223ddf0e3819fb"},
             {"test", "RTE/test.tsv", 3000, "", "RTE.tsv"},
         },
     .archive = "RTE.zip",
     .sha256 = "6bf86de103ecd335f3441bd43574d23fef87ecc695977a63b82d5efb206556ee",
     .bytes = 697'150},
    // SST-2: is a sentence of a film review positive? (Socher et al., "Recursive deep models for
    // semantic compositionality over a sentiment treebank", 2013)
    {.name = "sst2",
     .summary = "SST-2, sentiment of film reviews (Socher et al. 2013); accuracy",
     .columns = {.texts = {"sentence"}, .label = "label", .index = "index"},
     .task = {.labels = {"0", "1"},
              .metrics = {"accuracy"},
              .other_names = {"negative", "positive"}},
     .files =
         {
             {"train", "SST-2/train.tsv", 67349,
              "48eac26399f8456935f81dd9e3a745c1430adb6c62e233ccfe22db4a0d15d1d1"},
             {"dev", "SST-2/dev.tsv", 872, ""},
             {"test", "SST-2/test.tsv", 1821, "", "SST-2.tsv"},
         },
     .archive = "SST-2.zip",
     .sha256 = "d67e16fb55739c1b32cdce9877596db1c127dc322d93c082281f64057c16deaa",
     .bytes = 7'439'277},
    // STS-B: how similar are two sentences, from 0 to 5? (Cer et al., "SemEval-2017 task 1", 2017)
    {.name = "stsb",
     .summary =
         "STS-B, similarity of sentences from 0 to 5 (Cer et al. 2017); Spearman correlation",
     .columns = {.texts = {"sentence1", "sentence2"}, .label = "score", .index = "index"},
     .task = {.labels = {}, .metrics = {"spearman", "pearson"}},
     .files =
         {
             {"train", "STS-B/train.tsv", 5749, ""},
             {"dev", "STS-B/dev.tsv", 1500,
              "fe7dc0632a5033562f3cadff991f6e8d9b9b6311861660e78c3c82eb7db67f59"},
             {"test", "STS-B/test.tsv", 1379, "", "STS-B.tsv"},
         },
     .archive = "STS-B.zip",
     .sha256 = "e60a6393de5a8b5b9bac5020a1554b54e3691f9d600b775bd131e613ac179c85",
     .bytes = 802'872},
    // WNLI: is the pronoun of a Winograd schema resolved correctly? (Levesque et al., "The Winograd
    // schema challenge", 2012)
    {.name = "wnli",
     .summary = "WNLI, Winograd schemas as entailment (Levesque et al. 2012); accuracy",
     .columns = {.texts = {"sentence1", "sentence2"}, .label = "label", .index = "index"},
     .task = {.labels = {"0", "1"},
              .metrics = {"accuracy"},
              .other_names = {"not_entailment", "entailment"}},
     .files =
         {
             {"train", "WNLI/train.tsv", 635, ""},
             {"dev", "WNLI/dev.tsv", 71, ""},
             {"test", "WNLI/test.tsv", 146, "", "WNLI.tsv"},
         },
     .archive = "WNLI.zip",
     .sha256 = "ae0e8e4d16f4d46d4a0a566ec7ecceccfd3fbfaa4a7a4b4e02848c0f2561ac46",
     .bytes = 28'999}};

struct GlueOptions : LabelledOptions {
  bool test = false;

  void fields(Fields& field) {
    LabelledOptions::fields(field);
    field("test", test,
          "also predict the test splits for a submission; only GLUE's server knows their labels");
  }
};

std::string below_data(const std::string& path) {
  return "glue/" + path;
}

std::vector<std::string> glue_split_files(const GlueTask& task, const GlueFile& file) {
  std::vector<std::string> files = {below_data(file.path)};
  for (const GlueFile& one : task.dev_ids) files.push_back(below_data(one.path));
  return files;
}

/// The archive with its contents, and the files that are published separately.
std::vector<DataSource> sources_of(const GlueTask& task) {
  std::vector<DataSource> sources;
  std::vector<SourceFile> members;
  const auto add = [&](const GlueFile& file) {
    const std::string path = below_data(file.path);
    const auto is_it = [&](const DataSource& source) { return source.url == file.url; };
    if (file.url.empty())
      members.push_back({.file = path, .member = file.path, .sha256 = file.sha256});
    else if (std::ranges::none_of(sources, is_it))
      sources.push_back(plain_source(file.url, path, file.sha256, file.bytes));
  };
  for (const GlueFile& file : task.files) add(file);
  for (const GlueFile& file : task.dev_ids) add(file);
  if (!task.archive.empty()) {
    sources.push_back({.url = kGlueAddress + task.archive,
                       .sha256 = task.sha256,
                       .files = members,
                       .bytes = task.bytes});
  }
  return sources;
}

DatasetFacts glue_facts(const GlueTask& task) {
  DatasetFacts facts = labelled_facts(task.task);
  SplitFiles& tests = facts.files_if["test"];
  for (const GlueFile& file : task.files) {
    const bool is_test = !file.submission.empty();
    (is_test ? tests : facts.files)[file.split] = glue_split_files(task, file);
    (is_test ? facts.unlabelled : facts.splits).push_back(file.split);
    facts.examples[file.split] = file.examples;
    if (!is_test) continue;
    facts.submissions[file.split] = file.submission;
    facts.server_metrics[file.split] =
        file.metric.empty() ? task.task.metrics.front() : file.metric;
  }
  facts.splits.push_back("holdout");
  facts.columns = task.columns;
  facts.sources = sources_of(task);
  return facts;
}

using Ids = std::pair<std::string, std::string>;

std::set<Ids> read_dev_ids(const std::filesystem::path& file) {
  std::set<Ids> ids;
  DelimitedFile rows(file, '\t', Quoting::none);
  while (rows.next()) {
    if (rows.fields().size() != 2)
      Problems().refuse(rows.where(), "invalid-table", "expected two ids");
    ids.emplace(rows.fields()[0], rows.fields()[1]);
  }
  return ids;
}

/// For each row of a table, whether its ids in the second and third column are in `ids`.
std::vector<bool> rows_with(const std::set<Ids>& ids, const std::filesystem::path& table) {
  std::vector<bool> found;
  DelimitedFile rows(table, '\t', Quoting::none);
  rows.next();  // the header
  while (rows.next()) {
    const auto& fields = rows.fields();
    found.push_back(fields.size() > 2 &&
                    ids.contains({std::string(fields[1]), std::string(fields[2])}));
  }
  return found;
}

/// The list of the dev split's ids divides a table that train and dev share (MRPC's).
std::vector<LabelledExample> read_split(const GlueTask& task, const GlueFile& file,
                                        const std::filesystem::path& glue) {
  std::vector<LabelledExample> examples =
      read_labelled_table(glue / file.path, task.columns, task.task);
  if (task.dev_ids.empty() || !file.submission.empty()) return examples;
  const std::vector<bool> is_dev =
      rows_with(read_dev_ids(glue / task.dev_ids.front().path), glue / file.path);
  std::vector<LabelledExample> kept;
  for (size_t row = 0; row < examples.size(); ++row) {
    if (is_dev[row] != (file.split == "dev")) continue;
    examples[row].index = std::to_string(kept.size());
    kept.push_back(std::move(examples[row]));
  }
  return kept;
}

std::shared_ptr<LabelledDataset> open_glue(const GlueTask& task, const GlueOptions& options,
                                           const DataFolders& folders) {
  const std::string name = "glue/" + task.name;
  std::vector<std::string> needed;
  std::vector<const GlueFile*> chosen;
  for (const GlueFile& file : task.files) {
    const bool is_test = !file.submission.empty();
    if (is_test && !options.test) continue;
    for (const std::string& path : glue_split_files(task, file)) needed.push_back(path);
    chosen.push_back(&file);
  }
  require_files(name, folders, needed);
  std::vector<LabelledSplit> splits;
  for (const GlueFile* file : chosen) {
    LabelledSplit& split = splits.emplace_back(
        LabelledSplit{file->split, read_split(task, *file, folders.data / "glue")});
    if (file->submission.empty()) continue;
    // MRPC's test labels are published elsewhere, but must not be used.
    for (LabelledExample& example : split.examples) example.label.reset();
  }
  return std::make_shared<LabelledDataset>(name, task.task, std::move(splits), options);
}

bool add_glue_tasks() {
  for (const GlueTask& task : kGlueTasks) {
    datasets().add<GlueOptions>(
        {.name = "glue/" + task.name, .summary = task.summary, .facts = glue_facts(task)},
        [&task](const GlueOptions& options, const DataFolders& folders) {
          return open_glue(task, options, folders);
        });
  }
  return true;
}

RETHINK_REGISTERED = add_glue_tasks();

}  // namespace
}  // namespace rethink
