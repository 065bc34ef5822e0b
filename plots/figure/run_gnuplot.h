// Starts gnuplot with its own defaults, whatever the user's or the system's settings are. No other
// file starts it.
#pragma once

#include <filesystem>
#include <string>

#include "core/error.h"

namespace rethink {

/// Error: the data have points, but gnuplot drew none of them.
struct NothingDrawn : MachineError {
  using MachineError::MachineError;
};

/// "gnuplot 5.4 patchlevel 4". Throws MachineError, with what to install, when it is missing or older
/// than the scripts need.
std::string gnuplot_version();

/// Runs a script of plots of its file DATA in `folder`: without settings (-d), in a locale of its own
/// and without environment that changes terminals and fonts. Returns what gnuplot warned of, "" where
/// of nothing. Throws NothingDrawn; MachineError as gnuplot_version, and when gnuplot fails. `what`
/// stands in messages as the script.
std::string run_gnuplot(const std::string& script, const std::filesystem::path& folder,
                        const std::filesystem::path& what);

}  // namespace rethink
