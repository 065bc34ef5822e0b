// A table of words: the tokens of a sentence to which trials' models attended, with the paper's words beside ours.
#include "plots/table/kinds/word_forms.h"

namespace rethink {
namespace {

class WordTableKind : public TableKind {
 public:
  void read(const Yaml& document, const std::filesystem::path& file, Problems& problems) override {
    spec_ = read_word_table_spec(document, file, problems);
  }
  const TableSpec& spec() const override { return spec_.models; }
  std::string artifact() const override { return spec_.artifact; }
  KindTable make(const Grid& grid, const TrialRecords& records,
                 const ArtifactFiles& files) const override {
    return in_every_form(make_word_table(spec_, grid, records, files));
  }

 private:
  WordTableSpec spec_;
};

RETHINK_REGISTERED = table_kinds().add<NoFields>(
    {.name = "words", .summary = "tokens of given sentences that models attended to"},
    [](const NoFields&) { return std::make_shared<WordTableKind>(); });

}  // namespace
}  // namespace rethink
