// The interface of kinds of figures; each kind has a file in plots/figure/kinds (docs/figures.md).
#pragma once

#include <string>

#include "core/config/registry.h"
#include "plots/figure/figure.h"
#include "plots/figure/figure_caption.h"

namespace rethink {

/// States of a figure's trials.
struct FigureSources {
  const FigureGrids& grids;
  const TrialRecords& records;
  const Curves& curves;        // if the kind is of_curves()
  const ArtifactFiles& files;  // if it has an artifact()
};

/// A kind of figure, with the parts of a spec that only this kind has. `read` is called first.
class FigureKind {
 public:
  virtual ~FigureKind() = default;
  /// Reads every key but figure, title and kind into `spec` and this object, and adds problems.
  /// `is_named` says that the spec names this kind, not an unknown one.
  virtual void read(const Yaml& document, SpecReader& reader, bool is_named, FigureSpec& spec,
                    Problems& problems) = 0;
  /// Fills the drawing, and adds the first sentences of the caption.
  virtual void add(const FigureSpec& spec, const FigureSources& sources, Figure& figure,
                   FigureFindings& findings) const = 0;
  /// Returns the caption's word for the parts of the figure: "points".
  virtual const char* parts() const = 0;
  /// Returns the artifact of trials that it shows; empty: it shows numbers of trials, or no trial.
  virtual std::string artifact() const { return ""; }
  /// Returns whether it shows the curve `spec.curve` of each trial.
  virtual bool of_curves() const { return false; }
  /// Returns whether it has a drawing instead of series.
  virtual bool has_panels() const { return false; }
};

using FigureKindRegistry = Registry<FigureKind>;
FigureKindRegistry& figure_kinds();

/// Returns the table behind the figure. Counts its trials, and adds its marks to the findings.
Table points_of(const FigureSpec& spec, const FigureSources& sources, Figure& figure,
                FigureFindings& findings);
/// Counts the trials of a table behind the figure: done, missing, failed, or with an unknown id.
void count_trials(const Table& table, Figure& figure);

}  // namespace rethink
