#include "core/format/gutenberg_marks.h"

#include <gtest/gtest.h>

#include <string>

namespace rethink {
namespace {

const std::string kSmallPrint = "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*";

TEST(GutenbergMarks, OfBefore2004AreKnown) {
  for (const std::string& mark :
       {kSmallPrint, std::string("*END* THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS"),
        std::string("***START OF THE PROJECT GUTENBERG EBOOK X***"),
        std::string("***Start of this Project Gutenberg Etext***")})
    EXPECT_TRUE(has_old_book("Header\r\n " + mark + "\r\nText\r\n")) << mark;
  for (const char* text :
       {"", "plain\n", "***Start of the list\n", "*END* of it\n", "*END*\n", "THE SMALL PRINT\n",
        "***START OF A BOOK***\n", "***START**THE SMALL PRINT!**START***\n",
        "*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n"})
    EXPECT_FALSE(has_old_book(text)) << text;
  EXPECT_FALSE(
      has_old_book("*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n" + kSmallPrint + "\n"))
      << "rethink 0.1.0 read this line, and reads it so";
}

TEST(GutenbergMarks, EndOneBookAndBeginAnother) {
  const auto found = [](const std::vector<std::string_view>& lines) {
    const BookLines book = find_book(lines);
    return std::vector<size_t>{book.is_book, book.is_of_old, book.begin, book.end, book.next};
  };
  using Found = std::vector<size_t>;
  const std::string_view start = "*** START OF THIS PROJECT GUTENBERG EBOOK X ***",
                         end = "*** END OF THIS PROJECT GUTENBERG EBOOK X ***",
                         old_start = "***START OF THE PROJECT GUTENBERG EBOOK X***";
  EXPECT_EQ(found({"h", start, "a", end, "l"}), (Found{1, 0, 2, 3, 0}));
  EXPECT_EQ(found({start, "a", end, "l", start, "b", end}), (Found{1, 0, 1, 2, 4}));
  EXPECT_EQ(found({start, "a", end, "*** START OF A LIST"}), (Found{1, 0, 1, 2, 0}));
  EXPECT_EQ(found({"a", "b"}), (Found{0, 0, 0, 2, 0}));
  EXPECT_EQ(found({"a", "End of Project Gutenberg's X"}), (Found{0, 0, 0, 1, 0}));
  EXPECT_EQ(found({"h", kSmallPrint, "a", "End of The Project Gutenberg Etext of X"}),
            (Found{1, 1, 2, 3, 0}));
  EXPECT_EQ(found({"h", kSmallPrint, "a", "The End of Project Gutenberg's Etext"}),
            (Found{1, 1, 2, 3, 0}));
  EXPECT_EQ(
      found({old_start, "legal", kSmallPrint, "a", "***END OF THE PROJECT GUTENBERG EBOOK X***"}),
      (Found{1, 1, 3, 4, 0}));
  EXPECT_EQ(found({"a", "END OF THE PROJECT GUTENBERG ETEXT", "legal", kSmallPrint}),
            (Found{1, 1, 0, 1, 0}))
      << "the small print behind the book";
  EXPECT_EQ(found({old_start, "a", "End of Project Gutenberg's X", "legal", kSmallPrint}),
            (Found{1, 1, 1, 2, 0}));
  EXPECT_EQ(found({kSmallPrint, "a", "End of Project Gutenberg's X", "h", kSmallPrint, "b"}),
            (Found{1, 1, 1, 2, 4}));
}

}  // namespace
}  // namespace rethink
