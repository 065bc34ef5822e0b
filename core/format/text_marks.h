// Marks in text files that are not part of their text (core/text.h): a byte order mark, line ends
// of other systems, tabs. Readers once read some marks as text or as other blanks. A trial that
// learned from such text has another identity than a trial that did not.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

/// Suffix of the SHA-256 of a data file that a reader once read with its marks, and now reads
/// without them.
inline constexpr const char* kReadPlainly = "+plain";

/// Returns whether the file has one of `marks`:
///   "bom"       U+FEFF at its beginning
///   "crlf"      a \r\n
///   "cr"        a \r without \n
///   "only_cr"   a \r, and no \n in the file
///   "not_utf8"  bytes that are not UTF-8
///   "stray"     a second U+FEFF at its beginning or a U+FEFF at another line's beginning, a byte 0, a Ctrl-Z at
///               its end, doubled line ends
///   "packed"    not text by core/format/file_kind.h
///   "tab_cells" a line that tabs split into other columns than white space does, except a
///               comment (# and a blank) and CoNLL's -DOCSTART-
///   "old_book"  a book of Project Gutenberg with marks of before 2004 (core/format/gutenberg_marks.h)
/// The result is cached in `memory`, as hashes are (core/files/hash.h). Throws MachineError if the
/// file cannot be read.
bool has_text_marks(const std::filesystem::path& file, const std::vector<std::string>& marks,
                    const std::filesystem::path& memory);

}  // namespace rethink
