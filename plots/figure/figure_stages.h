// The stages in which a figure is made, each with a type:
//   DrawnFigure  what is drawn, and the trials behind it
//   Figure       with its whole caption
#pragma once

#include <string>

#include "plots/figure/figure.h"
#include "plots/figure/figure_caption.h"

namespace rethink {

/// A figure whose caption has only the sentences of its kind.
struct DrawnFigure {
  Figure figure;
  FigureFindings findings;
};

/// Returns the figure with mean and spread over seeds at each point; for curves, at each step that
/// all seeds have. For a heatmap it reads `files`.
DrawnFigure drawn_figure(const FigureSpec& spec, const FigureGrids& grids,
                         const TrialRecords& records, const Curves& curves,
                         const ArtifactFiles& files);

/// The last stage. `stale`: which of the missing trials are stale, and why; empty: none. Throws
/// ConfigError if a note names a profile that the sweep lacks.
Figure captioned_figure(DrawnFigure drawn, const FigureSpec& spec, const FigureGrids& grids,
                        const std::string& stale);

}  // namespace rethink
