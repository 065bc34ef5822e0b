#include "datasets/labelled/endings.h"

#include <fmt/format.h>

#include <algorithm>

#include "datasets/files/delimited.h"
#include "datasets/labelled/labelled_table.h"

namespace rethink {
namespace {

const std::vector<std::string> kTexts = {"sent1",   "sent2",   "ending0",
                                         "ending1", "ending2", "ending3"};

class SwagReader {
 public:
  explicit SwagReader(const std::filesystem::path& file) : rows_(file, ',', Quoting::csv) {}

  std::vector<LabelledExample> read() {
    std::vector<LabelledExample> examples;
    find_columns();
    while (rows_.next() && problems_.size() < Problems::kShown) {
      if (rows_.fields().size() != count_) {
        problems_.add(rows_.where(), "invalid-table",
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
    if (!rows_.next())
      problems_.refuse(rows_.where(), "empty-file", "got no row; expected a table");
    const std::vector<std::string> names(rows_.fields().begin(), rows_.fields().end());
    const auto place_of = [&](const std::string& name) {
      const auto found = std::find(names.begin(), names.end(), name);
      return found == names.end() ? kNoColumn : static_cast<size_t>(found - names.begin());
    };
    for (const std::string& name : kTexts) {
      texts_.push_back(place_of(name));
      if (texts_.back() == kNoColumn) {
        problems_.refuse(rows_.where(), "invalid-table",
                         fmt::format("got the columns {}; expected {} among them{}", joined(names),
                                     joined(kTexts), rows_.hint_of_first_row()));
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
    if (label_ == kNoColumn) return example;
    example.label = label_of(rows_.fields()[label_], four_endings());
    if (!example.label) {
      problems_.add(rows_.where(label_), "invalid-table",
                    fmt::format("got '{}', expected 0, 1, 2 or 3", rows_.fields()[label_]));
    }
    return example;
  }

  DelimitedFile rows_;
  Problems problems_;
  std::vector<size_t> texts_;
  size_t label_ = kNoColumn, count_ = 0;
};

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
