// Words of messages: counts, words quoted for a shell, and the commands that a message tells people to
// type.
//
// A trial's id is a hash: without --store, `rethink rm ID` would remove the trial of that id from the
// store in the current folder instead. So each command on a store names the store (store_command).
//
// Texts that a trial's folder or the database records (end.json, state.json, a request's answer)
// say in words what helps ("retry trial ID"), without a command. They are read from other folders
// and in copies of the store, where the path to the store is another.
#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rethink {

struct DatasetFacts;  // core/facts/dataset_facts.h

/// Returns "1 trial" or "2 trials". `what` is the singular of a noun whose plural adds an s.
std::string counted(size_t count, const char* what);

/// Returns "a, b and 4 more": the first `most` of `names`, and the number of the others.
std::string first_names(const std::vector<std::string>& names, size_t most);

/// Returns `word` for a shell, in quotes if the shell would interpret it.
std::string for_a_shell(const std::string& word);

/// " --store elsewhere", quoted for a shell; empty for the default store of the current folder.
std::string store_option(const std::filesystem::path& store);

/// "rethink rm 0a1b --store elsewhere": `words`, the command with its arguments and options, on the
/// store that `store` leads to. For a snapshot and a command that needs the store itself the option
/// is "--store FOLDER_OF_THE_STORE", to be filled in.
std::string store_command(std::string_view words, const std::filesystem::path& store);

/// Commands that accept a snapshot as --store, unless --run is given.
const std::set<std::string, std::less<>>& commands_that_read_snapshots();

/// "run `rethink data get NAME`"; or, by the data set's facts, the Debian package that brings the
/// files ("package"), or what to do by hand ("by_hand").
std::string how_to_get_data(const std::string& dataset, const DatasetFacts& facts);

/// Returns "there is no folder /data" or "/data is not a folder" for the folder of data sets; "" if
/// it is a folder, or not named.
std::string trouble_of_data_folder(const std::filesystem::path& data);

}  // namespace rethink
