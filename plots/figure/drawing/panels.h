// The common parts of figures with panels: heat maps and connection maps.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "plots/spec_reader.h"
#include "plots/table/cells/cell.h"
#include "plots/table/lines/wanted_values.h"

namespace rethink {

struct Figure;

/// Reads the key `across`, the number of panels side by side; default `usual`.
int64_t read_across(SpecReader& reader, int64_t usual);

/// Returns the first trial of a line that left a file; nothing if none did.
std::optional<size_t> first_with_file(const Cell& cell, const ArtifactFiles& files);

/// A shown seed, and the number of its trials, of which one is shown.
struct ShownSeed {
  int64_t seed = 0;
  size_t trials = 1;
  auto operator<=>(const ShownSeed&) const = default;
};
/// Returns the title of the trial at `place` in cell.trials.
ShownSeed shown_seed(const Cell& cell, size_t place);
/// Returns "0" or "0 (one of its 2 trials)".
std::string to_text(const ShownSeed& shown);

/// Notes that a missing or damaged file leaves out its panel, not the whole figure.
void note_missing_panel(Figure& figure, const std::string& panel, const std::string& why);

}  // namespace rethink
