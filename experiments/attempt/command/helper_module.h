// Search for the Python helper module `rethink`, which a program may import
// (docs/how_to/command.md), and advice for a program that does not find it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace rethink {

constexpr const char* kHelperModule = "rethink.py";  // the name of a copy beside a program

/// Returns the module's file in this process's installation or checkout; "" if there is none.
std::filesystem::path helper_module_file();

/// Returns whether this text of a Python program imports the module.
bool imports_helper_module(std::string_view text);

/// Returns whether this Python finds the module by itself, as an attempt starts it: without
/// PYTHONPATH, and not from a folder with a copy. True if the Python does not answer. Cost: starts
/// Python once.
bool finds_helper_module(const std::string& python);

/// Returns "copy .../rethink.py beside the program, and add rethink.py to `code`; or install the
/// wheel of rethink for python3".
std::string advice_on_helper_module(const std::string& python);

}  // namespace rethink
