// CODAH: questions in SWAG's form that people wrote to mislead models (Chen et al., "CODAH: an
// adversarially-authored question answering dataset for common sense", 2019). It is published
// without splits; a random tenth, the same for everyone, is dev.
#include <fmt/format.h>

#include "core/json.h"
#include "datasets/dataset.h"
#include "datasets/files/delimited.h"
#include "datasets/labelled/endings.h"
#include "datasets/labelled/labelled_table.h"

namespace rethink {
namespace {

const char* const kCodahFile = "swag/codah_full_data.tsv";
constexpr uint64_t kDevStream = 0x636f646168646576;  // "codahdev" in ASCII
constexpr size_t kCodahColumns = 7;                  // category, prompt, four answers, label
constexpr size_t kFirstAnswer = 2, kLabel = 6;

std::vector<LabelledExample> read_codah(const std::filesystem::path& file) {
  std::vector<LabelledExample> examples;
  DelimitedFile rows(file, '\t', Quoting::none);
  Problems problems;
  while (rows.next() && problems.size() < Problems::kShown) {
    const auto& fields = rows.fields();
    if (fields.size() != kCodahColumns) {
      problems.add(rows.where(), "invalid-table",
                   fmt::format("got {} columns, expected {}{}", fields.size(), kCodahColumns,
                               rows.hint_of_first_row()));
      continue;
    }
    LabelledExample example;
    example.inputs = inputs_of_endings(std::string(fields[1]), "",
                                       {fields.begin() + kFirstAnswer, fields.begin() + kLabel});
    example.label = label_of(fields[kLabel], four_endings());
    example.index = std::to_string(examples.size());
    if (!example.label) {
      problems.add(rows.where(kLabel), "invalid-table",
                   fmt::format("got '{}', expected 0, 1, 2 or 3", fields[kLabel]));
    }
    examples.push_back(std::move(example));
  }
  problems.throw_if_any();
  return examples;
}

std::shared_ptr<LabelledDataset> open_codah(const LabelledOptions& options,
                                            const DataFolders& folders) {
  const auto files = require_files("codah", folders, {kCodahFile});
  std::vector<LabelledExample> examples = read_codah(files[0]);
  const std::vector<size_t> dev = drawn(examples.size(), examples.size() / 10, kDevStream);
  LabelledSplit held_out{"dev", take_out(examples, dev)};
  return std::make_shared<LabelledDataset>(
      "codah", four_endings(),
      std::vector<LabelledSplit>{{"train", std::move(examples)}, std::move(held_out)}, options);
}

DatasetFacts codah_facts() {
  DatasetFacts facts = labelled_facts(four_endings());
  facts.files = {{"train", {kCodahFile}}, {"dev", {kCodahFile}}};
  facts.splits = {"train", "dev", "holdout"};
  facts.examples = {{"train", 2499}, {"dev", 277}};
  facts.sources = {plain_source(
      "https://raw.githubusercontent.com/Websail-NU/CODAH/"
      "acf7ffa4041ade86c6f7dd2f92fb08c957350280/data/full_data.tsv",
      kCodahFile, "96689f2abf2f09eb91af50e2d8f92bb553e157601908a1cee83fe68670b5c3ea", 485'130)};
  return facts;
}

RETHINK_REGISTERED = datasets().add<LabelledOptions>(
    {.name = "codah",
     .summary = "CODAH, adversarial questions of SWAG's form (Chen et al. 2019); accuracy",
     .facts = codah_facts()},
    open_codah);

}  // namespace
}  // namespace rethink
