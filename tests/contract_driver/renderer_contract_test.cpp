// Contract of every format of tables and claims.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json.h"
#include "plots/render/renderer.h"
#include "plots/table/kinds/word_forms.h"
#include "tests/support/registry_files.h"

namespace rethink {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Text with characters that are special in any format.
const std::string kSpecial = "Plain a|b, \"q\" & <c> 100% $x_1 #2 {d} ~ ^ \\end";

/// Texts that the output would contain if nothing were escaped, by extension.
const std::map<std::string, std::vector<std::string>> kRaw = {
    {"html", {"<c>", " & <"}},
    {"tex", {" & <", "100% ", "$x_1", " #2", "{d}"}},
    {"md", {"Plain a|b"}},
    {"csv", {", \"q\""}}};

Table small_table() {
  Table table;
  table.name = "contract/small";
  table.title = table.profile = kSpecial;
  table.spread = "sd";
  table.rows = {{{kSpecial, "first"}, ""}, {{"Other", "other"}, ""}};
  TableColumn column;
  column.label = column.key = kSpecial;
  column.value = "dev/score@last";
  column.direction = Direction::max;
  table.columns = {column};
  table.orders.resize(1);
  Cell cell;
  cell.trials = {"0123456789abcdef0123"};
  cell.samples = {{0, 0.5}};
  cell.planned_seeds = {0};
  cell.value = 0.5;
  cell.paper = PaperValue{0.4, "0.4_*"};
  cell.marks = {{MarkKind::partial_data, kSpecial}};
  Cell missing;
  missing.planned_seeds = {0};
  missing.marks = {{MarkKind::missing, "missing"}};
  table.cells = {{cell}, {missing}};
  table.notes = {SheetNote{kSpecial}};
  return table;
}

std::vector<ClaimResult> small_claims() {
  return {{.name = "Firstclaim",
           .says = kSpecial,
           .source = kSpecial,
           .table = "contract/small",
           .verdict = Verdict::holds,
           .why = kSpecial,
           .paper = kSpecial,
           .remarks = kSpecial}};
}

WordTable small_words() {
  WordTable table;
  table.name = "contract/words";
  table.title = table.profile = kSpecial;
  table.columns = {kSpecial, "Other"};
  table.trials = {{"0123456789abcdef0123"}, {}};
  WordRow row;
  row.label = kSpecial;
  row.layer = 1;
  row.tokens = {{kSpecial, true, 0, 0}, {"predicted", true, 1, 0}};
  row.target = 1;
  table.rows = {row};
  WordCell cell, lacking;
  cell.by_seed[0] = {{kSpecial, false, 0, 0.75}};
  cell.paper = {kSpecial};
  lacking.lack = "missing";
  table.cells = {{cell, lacking}};
  table.notes = {SheetNote{kSpecial}};
  return table;
}

class RendererContract : public testing::TestWithParam<std::string> {
 protected:
  const std::shared_ptr<Renderer> renderer_ = renderers().make(GetParam(), Json::object());

  void expect_escaped(const std::string& text) const {
    const auto raw = kRaw.find(renderer_->extension());
    if (raw != kRaw.end()) {
      for (const std::string& part : raw->second) EXPECT_THAT(text, Not(HasSubstr(part)));
    }
    if (renderer_->extension() == "json") {
      EXPECT_NO_THROW(parse_json(text, GetParam()));
    }
  }

  /// A paper's table has a dash in the cell of a trial that has not run.
  std::string word_of_missing() const {
    return renderer_->extension() == "tex" ? "& --" : "missing";
  }
};

TEST_P(RendererContract, NamesAnExtensionWithoutADot) {
  EXPECT_THAT(renderer_->extension(), testing::MatchesRegex("[a-z]+"));
}

TEST_P(RendererContract, ShowsLabelsAndNumbersAndEscapesWhatItMust) {
  const std::string text = renderer_->table(small_table());
  EXPECT_THAT(text, HasSubstr("Plain"));
  EXPECT_THAT(text, HasSubstr("Other"));
  EXPECT_THAT(text, HasSubstr("0.5"));
  EXPECT_THAT(text, HasSubstr(word_of_missing()));
  EXPECT_TRUE(text.ends_with("\n"));
  expect_escaped(text);
}

TEST_P(RendererContract, ShowsClaimsAndEscapesWhatItMust) {
  const std::string text = renderer_->claims(small_claims());
  EXPECT_THAT(text, HasSubstr("Firstclaim"));
  EXPECT_THAT(text, HasSubstr("holds"));
  EXPECT_THAT(text, HasSubstr("Plain"));
  EXPECT_TRUE(text.ends_with("\n"));
  expect_escaped(text);
}

TEST_P(RendererContract, ShowsWordsAndEscapesWhatItMust) {
  const std::string text = renderer_->of_kind(in_every_form(small_words()));
  EXPECT_THAT(text, HasSubstr("Plain"));
  EXPECT_THAT(text, HasSubstr("Other"));
  EXPECT_THAT(text, HasSubstr("0.75"));
  EXPECT_THAT(text, HasSubstr(word_of_missing()));
  EXPECT_TRUE(text.ends_with("\n"));
  expect_escaped(text);
}

TEST_P(RendererContract, GivesEqualBytesForEqualTables) {
  EXPECT_EQ(renderer_->table(small_table()),
            renderers().make(GetParam(), Json::object())->table(small_table()));
}

TEST_P(RendererContract, TakesATableWithoutRowsAndNoClaims) {
  Table table = small_table();
  table.rows.clear();
  table.cells.clear();
  EXPECT_THAT(renderer_->table(table), Not(HasSubstr("Other")));
  EXPECT_THAT(renderer_->claims({}), Not(HasSubstr("Firstclaim")));
}

INSTANTIATE_TEST_SUITE_P(, RendererContract, testing::ValuesIn(renderers().names()),
                         plugin_test_name);

}  // namespace
}  // namespace rethink
