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

/// Returns the lines of the book in a file. `lines` have no white space at their ends. A line "***
/// START OF ..." begins the book, as in version 0.1.0. Only in files without such a line, older
/// marks count: "***START OF THE PROJECT GUTENBERG ETEXT", and the end of the small print,
/// "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*", which may also follow the
/// book. Without a first mark the book is the file up to the line that ends it.
BookLines find_book(const std::vector<std::string_view>& lines);

/// Whether find_book finds a book by an older mark in the text.
bool has_old_book(std::string_view text);

}  // namespace rethink
