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
  const Curves& curves;        // where the kind is of_curves()
  const ArtifactFiles& files;  // where it has an artifact()
};

/// A kind of figure, and what a spec says that this kind alone has. `read` comes first.
class FigureKind {
 public:
  virtual ~FigureKind() = default;
  /// Every key but figure, title and kind, into `spec` and this; adds problems. `is_named`: the spec has this
  /// kind, and none that is unknown.
  virtual void read(const Yaml& document, SpecReader& reader, bool is_named, FigureSpec& spec,
                    Problems& problems) = 0;
  /// Fills what is drawn, and says beside it what the caption has to say first.
  virtual void add(const FigureSpec& spec, const FigureSources& sources, Figure& figure,
                   FigureFindings& findings) const = 0;
  /// What stands in the figure, in words of its caption: "points".
  virtual const char* parts() const = 0;
  /// Of trials, which it shows; empty: it shows their numbers, or no trial.
  virtual std::string artifact() const { return ""; }
  /// It shows the curve `spec.curve` of each trial.
  virtual bool of_curves() const { return false; }
  /// It has a drawing in place of series.
  virtual bool has_panels() const { return false; }
};

using FigureKindRegistry = Registry<FigureKind>;
FigureKindRegistry& figure_kinds();

/// The table underneath: its trials are counted, and what is marked in it is among the findings.
Table points_of(const FigureSpec& spec, const FigureSources& sources, Figure& figure,
                FigureFindings& findings);
/// The trials of a table underneath that are done, missing, failed, or of which nothing tells the id.
void count_trials(const Table& table, Figure& figure);

}  // namespace rethink
