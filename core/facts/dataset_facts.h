// The facts that a dataset declares (datasets/dataset.h): its contents, and the files of its
// identity.
#pragma once

#include "core/config/options.h"

namespace rethink {

/// The files of each split, below the folder of data sets.
using SplitFiles = std::map<std::string, std::vector<std::string>>;

/// A file from a download or an archive.
struct SourceFile {
  std::string file{}, member{}, sha256{};
  int64_t bytes = 0;  // 0: unknown
  void fields(Fields& field);
};

/// An archive or a file to download.
struct DataSource {
  std::string url{}, sha256{};
  std::vector<SourceFile> files{};
  int64_t bytes = 0;  // of the archive; 0: unknown
  void fields(Fields& field);
};

/// Columns of a table, as its first row names them.
struct TableColumns {
  std::vector<std::string> texts{};  // the sentence, or both sentences of a pair
  std::string label{};
  std::string index{};                        // "" or missing: rows are numbered from 0
  std::vector<std::string> without_header{};  // the columns of files without a header row
  bool skips_short_rows = false;  // true if official readers skip published rows that lack columns
  void fields(Fields& field);
};

/// Text in a packed file, which `plan` cannot count.
struct PackedText {
  int64_t lines = 0, words = 0, characters = 0;  // of all splits
  double dev = 0, test = 0;                      // shares of the lines
  void fields(Fields& field);
};

struct DatasetFacts {
  std::string kind{};
  std::vector<std::string> splits{};
  std::string metric{};
  std::vector<std::string> metrics{};
  // Files and their sources.
  SplitFiles files{};
  std::map<std::string, SplitFiles> files_if{};
  std::vector<std::string> file_options{};
  std::map<std::string, std::string> optional_splits{};
  std::vector<std::string> once_read{};
  std::vector<DataSource> sources{};
  std::map<std::string, std::string> installed{};
  std::string package{}, by_hand{};
  std::optional<PackedText> packed{};
  // Facts of labelled data and of questions.
  std::map<std::string, int64_t> examples{};
  std::vector<std::string> labels{};
  std::vector<std::string> other_names{};
  int64_t choices = 0;
  bool no_answer = false;
  std::optional<TableColumns> columns{};
  std::vector<std::string> unlabelled{};
  std::map<std::string, std::string> submissions{}, server_metrics{};
  void fields(Fields& field);
};

}  // namespace rethink
