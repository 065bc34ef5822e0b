// The words of a stage that are read alike in a sweep file and in what a profile changes.
#pragma once

#include <optional>
#include <string>

#include "experiments/schedule/sweep_file.h"

namespace rethink {

/// Null for a word that is no kind of axes.
std::optional<Axis::Kind> axis_kind(const std::string& key);

/// Adds one input: {SLOT: STAGE}, or {SLOT: {file: DIR}}.
void read_need(StageSpec& stage, const Yaml::Entry& entry, Problems& problems);

/// Replaces the stage's conditions on its axes.
void read_when(StageSpec& stage, const Yaml& given, Problems& problems);

}  // namespace rethink
