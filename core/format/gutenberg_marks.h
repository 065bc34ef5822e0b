// The lines with which Project Gutenberg begins and ends a book in a text file.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace rethink {

/// Lines [begin, end) of a file are the book.
struct BookLines {
  bool is_book = false;    // whether a line begins one
  bool is_of_old = false;  // by a mark of before 2004, which rethink 0.1.0 took for text
  size_t begin = 0, end = 0;
  size_t next = 0;  // the line that begins a second book behind the end; 0: none does
};

/// Where the book is in a file of these lines, which have no white space around them. A line "*** START
/// OF ..." begins it, as 0.1.0 read. Only in files without such a line older marks count:
/// "***START OF THE PROJECT GUTENBERG ETEXT", and the end of the small print, "*END*THE SMALL PRINT! FOR
/// PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*", which may stand behind the book, too. A book that nothing
/// begins is the whole file up to a line that ends it.
BookLines find_book(const std::vector<std::string_view>& lines);

/// Whether find_book finds a book by an older mark in the text.
bool has_old_book(std::string_view text);

}  // namespace rethink
