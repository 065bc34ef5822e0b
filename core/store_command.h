// Commands on a store that a message tells people to type. A trial's id is a hash: without --store,
// `rethink rm ID` would remove the trial of that id from the store in the current folder instead.
//
// What a trial's folder or the database records (end.json, state.json, a request's answer) says in
// words what helps ("retry trial ID"), without a command: it is read from other folders and in copies
// of the store, where another path leads to it.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace rethink {

/// " --store elsewhere", quoted for a shell; empty for the default store of the current folder.
std::string store_option(const std::filesystem::path& store);

/// "rethink rm 0a1b --store elsewhere": `words`, the command with its arguments and options, on the
/// store that `store` leads to. For a snapshot and a command that needs the store itself the option
/// is "--store FOLDER_OF_THE_STORE", to be filled in.
std::string store_command(std::string_view words, const std::filesystem::path& store);

/// The commands to which --store may be a snapshot, unless they are given --run.
const std::set<std::string, std::less<>>& commands_that_read_snapshots();

}  // namespace rethink
