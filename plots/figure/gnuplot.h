// Pictures of figures by gnuplot: SVG, PDF and PNG, with the script and the data file beside them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plots/figure/figure.h"

namespace rethink {

/// The data file: one block per series, "x y low high n", with its label above it.
std::string figure_data(const Figure& figure);
/// The script, which reads the data file and writes the three pictures, all named by `stem` in its
/// own folder. Requires: `stem` is of stem_of_files() (core/system/unique_names.h), since gnuplot runs commands
/// that stand in names of files.
std::string figure_script(const Figure& figure, const std::string& stem);

/// Writes STEM.dat and STEM.gp of stem_of_files(name) to `folder` and runs gnuplot there. Equal figures give equal bytes:
/// what gnuplot says of itself and of the day is taken out. A picture takes its name when all are
/// whole. Returns the files; warns of points that the axes leave out. Throws NothingDrawn when they
/// show none, MachineError when gnuplot is missing or fails, ConfigError when an axis cannot be drawn.
/// Requires: the figure is not empty.
std::vector<std::filesystem::path> draw_figure(const Figure& figure,
                                               const std::filesystem::path& folder,
                                               const std::string& name);

/// A picture that gnuplot drew as part of a page: without what may only stand at the head of a file
/// of its own, and with `name` before every id, so that several stand on one page.
std::string svg_within_page(const std::string& svg, const std::string& name);

}  // namespace rethink
