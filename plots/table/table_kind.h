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

/// States of the trials of a table of such a kind.
struct TrialsOfKind : TrialsToRun {
  size_t num_trials = 0;
  std::string not_read;    // missing or damaged files; empty: none
  std::string needs_data;  // trials with unknown ids; empty: none

  bool complete() const { return to_run.empty() && not_read.empty() && needs_data.empty(); }
};

/// A table of such a kind in the forms of renderers: a sheet for people, and all data for programs.
struct KindTable : TrialsOfKind {
  std::string name;
  Sheet sheet;
  std::string csv;  // with its own header
  Json json;
};

class TableKind {
 public:
  virtual ~TableKind() = default;
  /// Reads every key of the file, and adds problems. Called first.
  virtual void read(const Yaml& document, const std::filesystem::path& file,
                    Problems& problems) = 0;
  /// Returns its trials.
  virtual const TableSpec& spec() const = 0;
  /// Returns the artifact of these trials that it shows.
  virtual std::string artifact() const = 0;
  /// Makes the table. `grid` and `records` belong to spec(), `files` to artifact(). A missing or
  /// damaged file only leaves out its trial.
  virtual KindTable make(const Grid& grid, const TrialRecords& records,
                         const ArtifactFiles& files) const = 0;
};

using TableKindRegistry = Registry<TableKind>;
TableKindRegistry& table_kinds();

}  // namespace rethink
