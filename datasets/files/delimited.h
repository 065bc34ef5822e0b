// Tables in text files, row by row: tab-separated as GLUE's, where a quote is an ordinary letter,
// or CSV, where quotes enclose fields and a doubled quote means one quote (RFC 4180).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/problems.h"
#include "core/error.h"

namespace rethink {

enum class Quoting { none, csv };

/// Index of a column that a table lacks.
inline constexpr size_t kNoColumn = std::string::npos;

class DelimitedFile {
 public:
  /// Reads the file, without its byte order mark. Throws ConfigError if it is not a file, or not
  /// UTF-8.
  DelimitedFile(const std::filesystem::path& path, char separator, Quoting quoting);

  /// Moves to the next row that is not empty. Returns false after the last row. Throws ConfigError
  /// for an unclosed quote.
  bool next();
  /// Returns the fields of the row, valid until the next row is read.
  const std::vector<std::string_view>& fields() const { return fields_; }
  /// Returns the position of the row, or of its field `index`.
  Position where() const { return {name_, line_, 1}; }
  Position where(size_t index) const;
  /// Returns a hint if the first row has an unexpected form: the table has another separator, or
  /// pandas wrote an unnamed column in front; "; ..." with what to do, else "".
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
  std::vector<std::string> unquoted_;  // memory of the `fields_` of CSV
};

}  // namespace rethink
