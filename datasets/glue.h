// What the nine tasks of GLUE have in common (Wang et al., "GLUE: a multi-task benchmark and
// analysis platform for natural language understanding", 2019): tables below glue/, fetched from
// the benchmark's archives. Test splits have no labels and are read only where the option `test`
// asks for them. Facts beside those of labelled.h: "columns", the table's (labelled_table.h), and
// "server_metrics", what the server measures on each of those splits ({"test": "mcc"}).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/json_fwd.h"
#include "datasets/labelled_table.h"

namespace rethink {

/// One split.
struct GlueFile {
  std::string split, path;  // of its table, below glue/ and in the archive
  int64_t examples;         // as published
  std::string sha256;       // "" where we know none
  std::string
      submission{};      // where only GLUE's server has labels: what it wants predictions called
  std::string url{};     // where it is published by itself
  std::string metric{};  // the server's, where it is not the task's first
  uint64_t bytes = 0;    // of a file that is published by itself
};

struct GlueTask {
  std::string name, summary;  // "cola"
  TableColumns columns;
  LabelledTask task;
  std::vector<GlueFile> files;
  std::string archive{}, sha256{};  // its name at the benchmark's address
  uint64_t bytes = 0;               // of the archive
  std::vector<GlueFile> parting{};  // files that say which rows belong to which labelled split
};

inline const std::string kGlueAddress = "https://dl.fbaipublicfiles.com/glue/data/";

struct GlueOptions : LabelledOptions {
  bool test = false;

  void fields(Fields& field);
};

Json glue_facts(const GlueTask& task);

using ReadSplit =
    std::function<std::vector<LabelledExample>(const GlueFile&, const std::filesystem::path& glue)>;
/// The splits that the options ask for, each as `read` reads it.
std::shared_ptr<LabelledDataset> open_glue(const GlueTask& task, const GlueOptions& options,
                                           const DataFolders& folders, const ReadSplit& read);

/// Registers glue/NAME, whose tables are read as they are.
bool add_glue(const GlueTask& task);

}  // namespace rethink
