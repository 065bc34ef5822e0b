#include <gtest/gtest.h>

#include "plots/text_format.h"

namespace rethink {
namespace {

TEST(CsvText, QuotesWhatRfc4180Asks) {
  EXPECT_EQ(csv_line({"a", "b c", ""}), "a,b c,\n");
  EXPECT_EQ(csv_line({"a,b", "say \"x\"", "one\ntwo", "one\rtwo"}),
            "\"a,b\",\"say \"\"x\"\"\",\"one\ntwo\",\"one\rtwo\"\n");
  EXPECT_EQ(csv_line({""}), "\"\"\n") << "programs skip an empty line";
  EXPECT_EQ(csv_line({" \t"}), "\" \t\"\n");
  EXPECT_EQ(csv_line({"", ""}), ",\n");
}

}  // namespace
}  // namespace rethink
