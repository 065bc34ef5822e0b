// Pictures of figures by gnuplot: SVG, PDF and PNG, with the script and the data file beside them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plots/figure/figure.h"

namespace rethink {

/// Returns the data file: one block per series, "x y low high n", with its label above it.
std::string figure_data(const Figure& figure);
/// Returns the script, which reads the data file and writes three pictures, all named by `stem`, to
/// its own folder. Requires: `stem` is a result of stem_of_files() (core/files/unique_names.h),
/// since gnuplot runs commands in names of files.
std::string figure_script(const Figure& figure, const std::string& stem);

/// Writes STEM.dat and STEM.gp, with stem_of_files(name), to `folder` and runs gnuplot there. Equal
/// figures give equal bytes: gnuplot's version and the date are removed. A picture gets its name
/// when all are complete. Returns the files; warns of points outside of the axes. Throws
/// NothingDrawn if all points are outside, MachineError if gnuplot is missing or fails, ConfigError
/// if an axis cannot be drawn. Requires: the figure is not empty.
std::vector<std::filesystem::path> draw_figure(const Figure& figure,
                                               const std::filesystem::path& folder,
                                               const std::string& name);

/// Returns a picture from gnuplot as a part of a page: without the head of a separate file, and
/// with `name` before every id, so that a page can have several pictures.
std::string svg_within_page(const std::string& svg, const std::string& name);

}  // namespace rethink
