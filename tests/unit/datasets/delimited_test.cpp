#include "datasets/files/delimited.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/labelled/endings.h"
#include "datasets/labelled/labelled_table.h"
#include "datasets/labelled/predictions.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Delimited : public testing::Test {
 protected:
  template <typename Read>
  std::string error_of(const std::string& text, const Read& read) const {
    write_text(folder_ / "f", text);
    try {
      read(folder_ / "f");
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }
  std::string error_of_table(const std::string& text) const {
    return error_of(text, [&](const auto& file) {
      read_labelled_table(file, {.texts = {"sentence"}, .label = "label", .index = ""}, kTask);
    });
  }

  const LabelledTask kTask{.labels = {"no", "yes"}, .metrics = {"accuracy"}};
  const TempFolder folder_;
};

TEST_F(Delimited, OfCommasIsNamedWhereTabsAreExpected) {
  EXPECT_EQ(error_of_table("sentence\tlabel\nA.\tyes\n"), "");
  EXPECT_THAT(
      error_of_table("sentence,label\nA.,yes\n"),
      AllOf(HasSubstr("; its columns are parted by commas (CSV), expected tabs: python3 -c "),
            HasSubstr("csv.reader(sys.stdin)]' < "), HasSubstr("/f > NEW")));
  EXPECT_THAT(error_of_table("title\nA, b\n"), Not(HasSubstr("commas")));
}

TEST_F(Delimited, OfTabsIsNamedWhereCommasAreExpected) {
  EXPECT_THAT(
      error_of("sent1\tsent2\tending0\tending1\tending2\tending3\tlabel\n", read_swag),
      AllOf(HasSubstr("; its columns are parted by tabs, expected commas (CSV): python3 -c "),
            HasSubstr("csv.writer(sys.stdout)")));
}

TEST_F(Delimited, WithTheIndexOfPandasIsNamed) {
  const char* hint =
      "; its first column has no name: if it is the index that pandas writes, write "
      "the table with to_csv(..., index=False)";
  EXPECT_THAT(error_of_table("\t0\t1\n0\tA.\tyes\n"), HasSubstr(hint));
  EXPECT_THAT(error_of_table(",sentence,label\n0,A.,yes\n"), HasSubstr(hint));
  EXPECT_EQ(error_of_table("\tsentence\tlabel\n0\tA.\tyes\n"), "") << "columns go by their names";
  const std::vector<LabelledExample> examples(1);
  const auto read = [&](const auto& file) { read_predictions(file, examples, kTask); };
  EXPECT_THAT(error_of("\tprediction\n0\tyes\n", read), HasSubstr(hint));
  EXPECT_THAT(error_of(",prediction\n0,yes\n", read), HasSubstr(hint));
  EXPECT_THAT(error_of("yes\tno\n", read), Not(HasSubstr("pandas")));
}

TEST_F(Delimited, OfAnotherKindIsNamed) {
  EXPECT_THAT(error_of_table("<html><body>"),
              HasSubstr("is a web page (HTML); expected a table, as text"));
  EXPECT_THAT(error_of_table("%PDF-1.4\n"),
              HasSubstr("is a PDF; expected a table, as text: pdftotext"));
}

}  // namespace
}  // namespace rethink
