// The verses of the King James Bible, 31,102 of public-domain English, from Debian's package
// bible-kjv: text that needs no download beyond packages.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/facts/dataset_facts.h"

namespace rethink {

struct Verse {
  std::string book;  // as the package calls it: "Ge", "1Sa"
  std::string text;
};

/// Returns the package's file. Throws TrialError, which names `dataset` and the package, if it is
/// not installed.
std::filesystem::path kjv_file(const std::string& dataset);

/// All of them, in their order. Throws TrialError as above, and when the package does not have them.
std::vector<Verse> read_kjv(const std::string& dataset);

/// Facts of a data set of them: files, package, installed (datasets/files/data_files.h).
DatasetFacts kjv_facts();

}  // namespace rethink
