#include "core/format/text_marks.h"

#include <algorithm>
#include <string_view>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/hash.h"
#include "core/format/file_kind.h"
#include "core/format/gutenberg_marks.h"
#include "core/text.h"

namespace rethink {
namespace {

const std::vector<std::string> kMarks = {"bom",    "crlf",    "cr",        "not_utf8", "stray",
                                         "packed", "only_cr", "tab_cells", "old_book"};

bool has_stray_marks(std::string_view text) {
  const std::string later_mark = "\n" + std::string(kByteOrderMark);
  return text.size() - without_byte_order_marks(text).size() > kByteOrderMark.size() ||
         text.find(later_mark) != std::string_view::npos ||
         text.find('\0') != std::string_view::npos ||
         find_end_of_dos(text) != std::string_view::npos ||
         find_doubled_line_end(text) != std::string_view::npos;
}

constexpr std::string_view kBlanks = " \t\n\v\f\r";

/// Whether the line has an empty cell between tabs, or a cell with a blank inside.
bool has_tab_cells(std::string_view line) {
  line = line.substr(0, line.find_last_not_of(kBlanks) + 1);
  if (line.find('\t') == std::string_view::npos || line.starts_with("# ") ||
      line.starts_with("#\t") || line.starts_with("-DOCSTART-"))
    return false;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find('\t', begin), line.size());
    std::string_view cell = line.substr(begin, end - begin);
    cell.remove_prefix(std::min(cell.find_first_not_of(kBlanks), cell.size()));
    cell = cell.substr(0, cell.find_last_not_of(kBlanks) + 1);
    if (cell.empty() || cell.find_first_of(kBlanks) != std::string_view::npos) return true;
    begin = end + 1;
  }
  return false;
}

bool has_line_with_tab_cells(std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (has_tab_cells(text.substr(0, end))) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

/// The letter y or n for each of kMarks.
std::string marks_in(std::string_view text) {
  std::string found(kMarks.size(), 'n');
  if (text.starts_with(kByteOrderMark)) found[0] = 'y';
  for (size_t at = text.find('\r'); at != std::string_view::npos; at = text.find('\r', at + 1))
    found[text.substr(at + 1).starts_with('\n') ? 1 : 2] = 'y';
  if (find_invalid_utf8(text) != std::string_view::npos) found[3] = 'y';
  if (has_stray_marks(text)) found[4] = 'y';
  if (!other_kind_of_file(text, "", ExpectedFile::wikipedia_dump).empty()) found[5] = 'y';
  const bool has_only_cr = found[2] == 'y' && text.find('\n') == std::string_view::npos;
  if (has_only_cr) found[6] = 'y';
  if (has_line_with_tab_cells(text)) found[7] = 'y';
  if (has_old_book(text)) found[8] = 'y';
  return found;
}

}  // namespace

bool has_text_marks(const std::filesystem::path& file, const std::vector<std::string>& marks,
                    const std::filesystem::path& memory) {
  const std::string found =
      remembered(file, memory, "marks", kMarks.size(), [&] { return marks_in(read_file(file)); });
  return std::ranges::any_of(marks, [&](const std::string& mark) {
    const auto at = std::ranges::find(kMarks, mark);
    RETHINK_ASSERT(at != kMarks.end(), mark);
    return found[static_cast<size_t>(at - kMarks.begin())] == 'y';
  });
}

}  // namespace rethink
