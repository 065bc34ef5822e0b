// The interface of kinds of tables without numbers; each kind has a file in plots/table/kinds
// (docs/tables.md).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/config/registry.h"
#include "core/json.h"
#include "plots/sheet.h"
#include "plots/table/lines/grid.h"
#include "plots/table/lines/wanted_values.h"
#include "plots/table/table.h"

namespace rethink {

/// How far the trials of a table of such a kind are.
struct TrialsOfKind : TrialsToRun {
  size_t num_trials = 0;
  std::string not_read;    // files that are gone or damaged; empty: none
  std::string needs_data;  // of which trials nothing tells the ids; empty: of none

  bool complete() const { return to_run.empty() && not_read.empty() && needs_data.empty(); }
};

/// A table of such a kind, as renderers take it: as a sheet for people, and in full for programs.
struct KindTable : TrialsOfKind {
  std::string name;
  Sheet sheet;
  std::string csv;  // with a header of its own
  Json json;
};

class TableKind {
 public:
  virtual ~TableKind() = default;
  /// Every key of the file; adds problems. It comes first.
  virtual void read(const Yaml& document, const std::filesystem::path& file,
                    Problems& problems) = 0;
  /// Returns its trials.
  virtual const TableSpec& spec() const = 0;
  /// The artifact of these trials that it shows.
  virtual std::string artifact() const = 0;
  /// `grid` and `records` are of spec(), `files` of artifact(). A file that is gone or damaged costs its trial
  /// alone.
  virtual KindTable make(const Grid& grid, const TrialRecords& records,
                         const ArtifactFiles& files) const = 0;
};

using TableKindRegistry = Registry<TableKind>;
TableKindRegistry& table_kinds();

/// Contents of a file of plots/tables.
struct TableFile {
  TableSpec numbers;                      // of a table of numbers
  std::shared_ptr<const TableKind> kind;  // null: it is one

  /// Which trials a table of either kind is made of.
  const TableSpec& spec() const { return kind ? kind->spec() : numbers; }
};

/// Throws ConfigError with every problem and its place; `paths`: also that a sweep is not there, as find_spec_sweep looks for it.
TableFile read_table_file(const std::filesystem::path& file,
                          const std::vector<std::filesystem::path>& paths = {});

}  // namespace rethink
