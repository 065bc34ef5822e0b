// Output formats: tables of all kinds, and claims, as text. Each format is one file in
// plots/render. Equal input gives equal bytes, without dates and paths.
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
  /// Returns `document` in the form in which it follows another document in the same file; nothing if a file of this
  /// format contains a single document.
  virtual std::optional<std::string> after_another(const std::string& document) const;
  /// Selects output for people, without rows and columns that have nothing to show
  /// (plots/table/lines/fold.h).
  virtual bool is_for_people() const { return false; }
  /// Selects tables for a paper that has its own caption. Returns false if the format has no such
  /// tables.
  virtual bool make_bare() { return false; }
  /// Selects output for a terminal with so many columns. Formats for files ignore it.
  virtual void fit(size_t /*columns*/) {}
  virtual std::string table(const Table& table) const = 0;
  virtual std::string claims(const std::vector<ClaimResult>& claims) const = 0;
  virtual std::string of_kind(const KindTable& table) const = 0;
};

/// A format for people, which renders every kind of input as a sheet.
class SheetRenderer : public Renderer {
 public:
  bool is_for_people() const override { return true; }
  /// Returns whether the format has the mathematics of labels (plots/render/latex_text.h).
  virtual bool reads_mathematics() const { return false; }
  std::string table(const Table& table) const override { return readable(make_sheet(table)); }
  std::string claims(const std::vector<ClaimResult>& claims) const override {
    return readable(make_sheet(claims));
  }
  std::string of_kind(const KindTable& table) const override { return readable(table.sheet); }
  virtual std::string sheet(const Sheet& sheet) const = 0;

 private:
  std::string readable(const Sheet& given) const {
    return sheet(reads_mathematics() ? given : sheet_without_mathematics(given));
  }
};

using RendererRegistry = Registry<Renderer>;
RendererRegistry& renderers();

/// Returns null for an unknown name.
Json json_number(const std::optional<double>& value);
/// Returns all data of a cell.
Json to_json(const Cell& cell);

}  // namespace rethink
