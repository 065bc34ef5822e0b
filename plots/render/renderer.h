// One file per format in plots/render: tables, of numbers and of other kinds, and claims as text. Equal
// input gives equal bytes: no dates, no paths.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/config/registry.h"
#include "core/json_fwd.h"
#include "plots/claim/claim.h"
#include "plots/render/sheet.h"
#include "plots/table/table.h"
#include "plots/table/table_kind.h"

namespace rethink {

class Renderer {
 public:
  virtual ~Renderer() = default;
  /// Extension of a file with this format, without a dot: "tex".
  virtual std::string extension() const = 0;
  /// Returns `document` for a file that already has another one; nothing if a file of this format
  /// has only one.
  virtual std::optional<std::string> after_another(const std::string& document) const;
  /// For people to read, and not for programs: without what says nothing (plots/table/lines/fold.h).
  virtual bool is_for_people() const { return false; }
  /// What follows are tables for a paper that has a caption of its own. False where the format has no such tables.
  virtual bool make_bare() { return false; }
  /// What follows is for a terminal with so many columns; formats for files take no notice.
  virtual void fit(size_t /*columns*/) {}
  virtual std::string table(const Table& table) const = 0;
  virtual std::string claims(const std::vector<ClaimResult>& claims) const = 0;
  virtual std::string of_kind(const KindTable& table) const = 0;
};

/// A format for people: all come as a sheet.
class SheetRenderer : public Renderer {
 public:
  bool is_for_people() const override { return true; }
  std::string table(const Table& table) const override { return sheet(make_sheet(table)); }
  std::string claims(const std::vector<ClaimResult>& claims) const override {
    return sheet(make_sheet(claims));
  }
  std::string of_kind(const KindTable& table) const override { return sheet(table.sheet); }
  virtual std::string sheet(const Sheet& sheet) const = 0;
};

using RendererRegistry = Registry<Renderer>;
RendererRegistry& renderers();

/// Returns null for an unknown name.
Json json_number(const std::optional<double>& value);
/// Everything that a table knows of a cell.
Json to_json(const Cell& cell);

}  // namespace rethink
