// Made-up files in the official forms of data sets, so that a test can open every registered one, and sweeps run where no
// data are.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/facts/dataset_facts.h"

namespace rethink {

/// Rows, questions or documents of a split that has its own file: enough that a tenth is some.
inline constexpr size_t kStandInTrain = 40, kStandInOther = 12;

/// Writes every file that a data set of these facts names below `data`, those
/// on request too, in the form that its name and facts say. Returns how many examples of each split
/// they hold; the data set's own rules (a holdout, a tenth that is dev) come on top.
std::map<std::string, size_t> write_stand_ins(const DatasetFacts& facts,
                                              const std::filesystem::path& data);

/// A text of `count` documents, a sentence a line.
std::string made_up_documents(size_t count);

/// `count` sentences of 4 to 12 made-up words and a period between spaces. Of another `seed` they are others, of the same
/// 1,500 words.
std::vector<std::string> made_up_sentences(size_t count, uint64_t seed);

/// The same sentences as CoNLL-U; a word's head is the one before it, the first word the root.
std::string made_up_trees(const std::vector<std::string>& sentences);

}  // namespace rethink
