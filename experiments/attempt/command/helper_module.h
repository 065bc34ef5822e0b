// The Python helper module `rethink`, which a program may import (docs/how_to/command.md): where this installation has
// it, and what helps a program that does not find it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace rethink {

constexpr const char* kHelperModule = "rethink.py";  // the name of a copy beside a program

/// The module's file in the installation or checkout of this process; empty where there is none.
std::filesystem::path helper_module_file();

/// Whether this text of a Python program imports the module.
bool imports_helper_module(std::string_view text);

/// Whether this Python finds the module by itself, as an attempt starts it: without PYTHONPATH, from no folder that has a
/// copy. True where the Python does not answer. Cost: starts it once.
bool finds_helper_module(const std::string& python);

/// "copy .../rethink.py beside the program, and add rethink.py to `code`; or install the wheel of rethink for python3"
std::string advice_on_helper_module(const std::string& python);

}  // namespace rethink
