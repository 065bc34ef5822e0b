#include "datasets/files/delimited.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/files/named_file.h"
#include "core/format/file_kind.h"
#include "datasets/files/text_lines.h"

namespace rethink {

DelimitedFile::DelimitedFile(const std::filesystem::path& path, char separator, Quoting quoting)
    : name_(path.string()), separator_(separator), quoting_(quoting) {
  refuse_dangling_link(path);
  if (!std::filesystem::exists(path) || std::filesystem::is_directory(path))
    throw ConfigError("not-a-file", fmt::format("{}: is not a file; expected a table", name_));
  text_ = read_utf8(path, ExpectedFile::table);
  refuse_marks_between_lines(text_, name_);
}

Position DelimitedFile::where(size_t index) const {
  const size_t begin = index < begins_.size() ? begins_[index] : row_begin_;
  const auto from = text_.begin() + static_cast<ptrdiff_t>(row_begin_);
  const auto to = text_.begin() + static_cast<ptrdiff_t>(begin);
  const auto lines =
      static_cast<int>(std::count(from, to, '\n'));  // a quoted field may contain line ends
  const size_t line_begin = lines == 0 ? row_begin_ : text_.rfind('\n', begin - 1) + 1;
  return {name_, line_ + lines, static_cast<int>(begin - line_begin) + 1};
}

std::string DelimitedFile::hint_of_first_row() const {
  if (row_begin_ > 0 || fields_.empty()) return "";
  const bool is_of_tabs = separator_ == '\t';
  const char other = is_of_tabs ? ',' : '\t';
  if (fields_.size() > 1 ? fields_[0].empty() : fields_[0].starts_with(other)) {
    return "; its first column has no name: if it is the index that pandas writes, write the table "
           "with to_csv(..., index=False)";
  }
  if (fields_.size() > 1 || fields_[0].find(other) == std::string_view::npos) return "";
  constexpr const char* kToTabs =
      R"(python3 -c 'import csv, sys; [print("\t".join(row)) for row in csv.reader(sys.stdin)]' < {} > NEW)";
  constexpr const char* kToCommas =
      R"(python3 -c 'import csv, sys; csv.writer(sys.stdout).writerows(line.rstrip("\n").split("\t") for line in sys.stdin)' < {} > NEW)";
  return fmt::format("; its columns are parted by {}, expected {}: {}",
                     is_of_tabs ? "commas (CSV)" : "tabs", is_of_tabs ? "tabs" : "commas (CSV)",
                     command_on_file(is_of_tabs ? kToTabs : kToCommas, name_));
}

bool DelimitedFile::next() {
  while (at_ < text_.size()) {
    line_ = next_line_;
    row_begin_ = at_;
    fields_.clear();
    begins_.clear();
    quoting_ == Quoting::none ? read_plain() : read_quoted();
    next_line_ += static_cast<int>(std::count(text_.begin() + static_cast<ptrdiff_t>(row_begin_),
                                              text_.begin() + static_cast<ptrdiff_t>(at_), '\n'));
    if (fields_.size() > 1 || !fields_[0].empty()) return true;
  }
  return false;
}

void DelimitedFile::read_plain() {
  const size_t end = std::min(text_.find('\n', at_), text_.size());
  std::string_view row = std::string_view(text_).substr(at_, end - at_);
  if (row.ends_with('\r')) row.remove_suffix(1);
  for (size_t begin = 0;;) {
    const size_t stop = std::min(row.find(separator_, begin), row.size());
    fields_.push_back(row.substr(begin, stop - begin));
    begins_.push_back(at_ + begin);
    if (stop == row.size()) break;
    begin = stop + 1;
  }
  at_ = std::min(end + 1, text_.size());
}

std::string DelimitedFile::quoted_field() {
  const size_t open = at_++;
  std::string field;
  for (;;) {
    const size_t quote = text_.find('"', at_);
    if (quote == std::string::npos) {
      begins_.push_back(open);
      Problems problems;
      problems.refuse(
          where(begins_.size() - 1), "invalid-table",
          "got a quote that is never closed; close it, or double it inside a quoted field");
    }
    field += text_.substr(at_, quote - at_);
    at_ = quote + 1;
    if (at_ >= text_.size() || text_[at_] != '"') return field;
    field += '"';
    ++at_;
  }
}

void DelimitedFile::read_quoted() {
  unquoted_.clear();
  for (;;) {
    const size_t begin = at_;
    std::string field;
    if (at_ < text_.size() && text_[at_] == '"') field = quoted_field();
    const size_t stop = text_.find_first_of(std::string{separator_, '\n'}, at_);
    const size_t end = std::min(stop, text_.size());
    field += text_.substr(at_, end - at_);  // text after a closing quote belongs to the field
    const bool is_last = end == text_.size() || text_[end] == '\n';
    if (is_last && field.ends_with('\r')) field.pop_back();
    unquoted_.push_back(std::move(field));
    begins_.push_back(begin);
    at_ = std::min(end + 1, text_.size());
    if (is_last) break;
  }
  fields_.assign(unquoted_.begin(), unquoted_.end());
}

}  // namespace rethink
