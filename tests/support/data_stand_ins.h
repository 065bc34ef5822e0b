// Made-up files in the official formats of data sets, so that tests can open every registered data
// set, and sweeps run without real data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/facts/dataset_facts.h"

namespace rethink {

/// Number of rows, questions or documents of a split with its own file; a tenth of it is not 0.
inline constexpr size_t kStandInTrain = 40, kStandInOther = 12;

/// Writes every file of a data set with these facts below `data`, optional files too, in the format
/// that name and facts imply. Returns the number of examples of each split in the files. The data
/// set's own rules, such as a holdout or a tenth for dev, then change these numbers.
std::map<std::string, size_t> write_stand_ins(const DatasetFacts& facts,
                                              const std::filesystem::path& data);

/// Returns a text of `count` documents, with one sentence per line.
std::string made_up_documents(size_t count);

/// Returns `count` sentences of 4 to 12 made-up words and a period, separated by spaces. Another
/// `seed` gives other sentences of the same 1,500 words.
std::vector<std::string> made_up_sentences(size_t count, uint64_t seed);

/// Returns the same sentences as CoNLL-U. The first word is the root, and the head of any other
/// word is the word before it.
std::string made_up_trees(const std::vector<std::string>& sentences);

}  // namespace rethink
