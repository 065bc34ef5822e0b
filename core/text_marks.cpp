#include "core/text_marks.h"

#include <algorithm>

#include "core/error.h"
#include "core/file.h"
#include "core/remembered_hash.h"
#include "core/utf8.h"

namespace rethink {
namespace {

const std::vector<std::string> kMarks = {"bom", "crlf", "cr", "not_utf8"};

/// A letter for each of kMarks: y or n.
std::string marks_in(std::string_view text) {
  std::string found(kMarks.size(), 'n');
  if (text.starts_with(kByteOrderMark)) found[0] = 'y';
  for (size_t at = text.find('\r'); at != std::string_view::npos; at = text.find('\r', at + 1))
    found[text.substr(at + 1).starts_with('\n') ? 1 : 2] = 'y';
  if (find_invalid_utf8(text) != std::string_view::npos) found[3] = 'y';
  return found;
}

}  // namespace

std::string without_text_marks(std::string text) {
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  if (text.find('\n') == std::string::npos) std::ranges::replace(text, '\r', '\n');
  return text;
}

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
