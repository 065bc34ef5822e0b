// The lines with which Project Gutenberg begins and ends a book in a text file.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace rethink {

/// The book is lines [begin, end) of a file.
struct BookLines {
  bool is_book = false;    // whether a line begins one
  bool is_of_old = false;  // a mark from before 2004, which rethink 0.1.0 read as text
  size_t begin = 0, end = 0;
  size_t next = 0;  // first line of a second book after the end; 0: no second book
};

/// Returns the lines of the book in a file. `lines` have no white space at their ends. A line "***
/// START OF ..." begins the book, as in version 0.1.0. Only in files without such a line, older
/// marks count: "***START OF THE PROJECT GUTENBERG ETEXT", and the end of the small print,
/// "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*", which may also follow the
/// book. Without a first mark the book is the file up to the line that ends it.
BookLines find_book(const std::vector<std::string_view>& lines);

/// Returns whether find_book finds a book by an older mark in the text.
bool has_old_book(std::string_view text);

}  // namespace rethink
