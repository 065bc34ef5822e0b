// Runs gnuplot with its own defaults, whatever the user's or the system's settings are. No other
// file runs it.
#pragma once

#include <filesystem>
#include <string>

#include "core/error.h"

namespace rethink {

/// Error: the data have points, but gnuplot drew none of them.
struct NothingDrawn : MachineError {
  using MachineError::MachineError;
};

/// Returns "gnuplot 5.4 patchlevel 4". Throws MachineError, with what to install, if gnuplot is
/// missing or older than the scripts need.
std::string gnuplot_version();

/// Runs a script that plots its file DATA in `folder`: without settings (-d), in a fixed locale,
/// and without environment variables that change terminals and fonts. Returns gnuplot's warnings;
/// "" without warnings. Throws NothingDrawn; MachineError as gnuplot_version, and if gnuplot fails.
/// `what` is the script's name in messages.
std::string run_gnuplot(const std::string& script, const std::filesystem::path& folder,
                        const std::filesystem::path& what);

}  // namespace rethink
