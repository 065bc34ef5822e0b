// The verses of the King James Bible from Debian's package bible-kjv: 31,102 verses of English in
// the public domain, which need no other download.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/facts/dataset_facts.h"

namespace rethink {

struct Verse {
  std::string book;  // the package's name of the book: "Ge", "1Sa"
  std::string text;
};

/// Returns the package's file. Throws TrialError, which names `dataset` and the package, if it is
/// not installed.
std::filesystem::path kjv_file(const std::string& dataset);

/// Returns all verses in order. Throws TrialError as above, and if the package lacks them.
std::vector<Verse> read_kjv(const std::string& dataset);

/// Returns the facts of a data set of these verses: files, package, installed (datasets/files/data_files.h).
DatasetFacts kjv_facts();

}  // namespace rethink
