// SWAG: which of four sentences goes on with what a video's caption began (Zellers et al., "SWAG: a
// large-scale adversarial dataset for grounded commonsense inference", 2018). The first sentence is
// one part of a pair; the beginning of the second with an ending is the other (Devlin et al. 2019,
// section 4.4).
#include "datasets/swag.h"

#include <fmt/format.h>

#include <algorithm>

#include "datasets/delimited.h"
#include "datasets/labelled_table.h"
#include "datasets/text_dataset.h"

namespace rethink {
namespace {

constexpr size_t kNone = std::string::npos;
const std::vector<std::string> kTexts = {"sent1",   "sent2",   "ending0",
                                         "ending1", "ending2", "ending3"};

struct SwagOptions : LabelledOptions {
  bool test = false;

  void fields(Fields& field) {
    LabelledOptions::fields(field);
    field("test", test, "read the test split too, whose labels its authors keep");
  }
};

class SwagReader {
 public:
  explicit SwagReader(const std::filesystem::path& file) : rows_(file, ',', Quoting::csv) {}

  std::vector<LabelledExample> read() {
    std::vector<LabelledExample> examples;
    find_columns();
    while (rows_.next() && problems_.size() < Problems::kShown) {
      if (rows_.fields().size() != count_) {
        problems_.add(rows_.where(),
                      fmt::format("got {} columns, expected {}", rows_.fields().size(), count_));
        continue;
      }
      examples.push_back(example(examples.size()));
    }
    problems_.throw_if_any();
    return examples;
  }

 private:
  void find_columns() {
    if (!rows_.next()) problems_.refuse(rows_.where(), "got no row; expected a table");
    const std::vector<std::string> names(rows_.fields().begin(), rows_.fields().end());
    const auto place_of = [&](const std::string& name) {
      const auto found = std::find(names.begin(), names.end(), name);
      return found == names.end() ? kNone : static_cast<size_t>(found - names.begin());
    };
    for (const std::string& name : kTexts) {
      texts_.push_back(place_of(name));
      if (texts_.back() == kNone) {
        problems_.refuse(rows_.where(), fmt::format("got the columns {}; expected {} among them",
                                                    joined(names), joined(kTexts)));
      }
    }
    label_ = place_of("label");
    count_ = names.size();
  }

  LabelledExample example(size_t number) {
    std::vector<std::string> texts;
    for (const size_t column : texts_) texts.emplace_back(rows_.fields()[column]);
    LabelledExample example;
    example.inputs = inputs_of_endings(texts[0], texts[1], {texts.begin() + 2, texts.end()});
    example.index = std::to_string(number);
    if (label_ == kNone) return example;
    example.label = label_of(rows_.fields()[label_], four_endings());
    if (!example.label) {
      problems_.add(rows_.where(label_),
                    fmt::format("got '{}', expected 0, 1, 2 or 3", rows_.fields()[label_]));
    }
    return example;
  }

  DelimitedFile rows_;
  Problems problems_;
  std::vector<size_t> texts_;
  size_t label_ = kNone, count_ = 0;
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

Json swag_facts() {
  Json facts = labelled_facts(four_endings());
  facts["files"] = {{"train", {"swag/train.csv"}}, {"dev", {"swag/val.csv"}}};
  facts["files_if"] = {{"test", {{"test", {"swag/test.csv"}}}}};
  facts["splits"] = {"train", "dev", "holdout"};
  facts["unlabelled"] = {"test"};
  facts["examples"] = {{"train", 73546}, {"dev", 20006}, {"test", 20005}};
  facts["sources"] = Json::array();
  for (const char* name : {"train.csv", "val.csv", "test.csv"}) {
    const std::string file = name;
    facts["sources"].push_back(
        {{"url", "https://raw.githubusercontent.com/rowanz/swagaf/master/data/" + file},
         {"sha256", ""},
         {"files", Json::array({{{"file", "swag/" + file}, {"member", ""}, {"sha256", ""}}})}});
  }
  return facts;
}

const bool registered = datasets().add<SwagOptions>(
    {.name = "swag",
     .summary = "SWAG, which of four endings goes on (Zellers et al. 2018); accuracy",
     .facts = swag_facts()},
    open_swag);

}  // namespace

LabelledTask four_endings() {
  return {.labels = {}, .choices = 4, .metrics = {"accuracy"}};
}

std::vector<LabelledInput> inputs_of_endings(const std::string& context, const std::string& opening,
                                             const std::vector<std::string>& endings) {
  std::vector<LabelledInput> inputs;
  for (const std::string& ending : endings)
    inputs.push_back({context, opening.empty() ? ending : opening + " " + ending});
  return inputs;
}

std::vector<LabelledExample> read_swag(const std::filesystem::path& file) {
  return SwagReader(file).read();
}

}  // namespace rethink
