// How a trial that is done is computed again, as neither `run` nor `retry` repeats it.
#pragma once

#include <filesystem>
#include <string>

namespace rethink {

/// "to have it again: rethink rm ID --store DIR, then run its sweep", and what goes with its folder.
std::string made_again(const std::filesystem::path& store, const std::string& trial);

}  // namespace rethink
