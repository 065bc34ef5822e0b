// Tables in text files, row by row: tab-separated as GLUE's are (a quote is a letter like any
// other), or CSV, where quotes enclose fields and two of them are one (RFC 4180).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/problems.h"
#include "core/error.h"

namespace rethink {

enum class Quoting { none, csv };

/// Stands for a column that a table does not have.
inline constexpr size_t kNoColumn = std::string::npos;

class DelimitedFile {
 public:
  /// Reads the file; a byte order mark at its beginning is not part of it. Throws ConfigError when
  /// it is no file or not UTF-8.
  DelimitedFile(const std::filesystem::path& path, char separator, Quoting quoting);

  /// Goes to the next row that is not empty; false after the last. Throws ConfigError where a quote
  /// is never closed.
  bool next();
  /// Fields of the row, valid until the next one is read.
  const std::vector<std::string_view>& fields() const { return fields_; }
  /// Where the row begins, or its field `index`.
  Position where() const { return {name_, line_, 1}; }
  Position where(size_t index) const;
  /// What may explain that the first row is not as expected: it is of a table with another separator, or
  /// pandas wrote a column without a name before it; "; ..." with what to do, else "".
  std::string hint_of_first_row() const;

 private:
  void read_plain();
  void read_quoted();
  std::string quoted_field();

  std::string name_, text_;
  char separator_;
  Quoting quoting_;
  size_t at_ = 0;
  int line_ = 0, next_line_ = 1;
  size_t row_begin_ = 0;
  std::vector<std::string_view> fields_;
  std::vector<size_t> begins_;         // of the fields, in text_
  std::vector<std::string> unquoted_;  // what `fields_` of CSV point into
};

}  // namespace rethink
