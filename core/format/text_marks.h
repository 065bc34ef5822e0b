// Marks in text files that are no part of their text (core/text.h): a byte order mark, line ends of
// other systems, tabs. Readers once took some of them as text, or for other blanks; a trial that learned
// so has another identity than one that does not.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rethink {

/// Suffix of the SHA-256 of a data file that a reader once read with its marks, and now reads
/// without them.
inline constexpr const char* kReadPlainly = "+plain";

/// Whether the file has one of `marks`:
///   "bom"       U+FEFF at its beginning
///   "crlf"
///   "cr"        a \r without \n
///   "only_cr"   a \r, and no \n in the file
///   "not_utf8"  bytes that are not UTF-8
///   "stray"     a second U+FEFF at its beginning or one at that of another line, a byte 0, a Ctrl-Z at
///               its end, doubled line ends
///   "packed"    it is no text by core/format/file_kind.h
///   "tab_cells" a line that tabs split into other columns than white space does, which is neither a
///               comment (# and a blank) nor CoNLL's -DOCSTART-
///   "old_book"  a book of Project Gutenberg with marks of before 2004 (core/format/gutenberg_marks.h)
/// The result is cached in `memory`, as hashes are (core/system/hash.h). Throws MachineError if the
/// file cannot be read.
bool has_text_marks(const std::filesystem::path& file, const std::vector<std::string>& marks,
                    const std::filesystem::path& memory);

}  // namespace rethink
