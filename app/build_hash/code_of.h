// The part of a C++ source that can change numbers: its code without comments, messages and
// summaries.
#pragma once

#include <string>
#include <string_view>

namespace rethink {

/// The code of a C++ or CUDA source in a form that no change of its comments, its line breaks or
/// its error messages alters. Error messages are the string literals of a thrown expression, of the
/// checks and of the calls that kMessageCalls (code_of.cpp) lists, and plug-ins' summaries. All
/// other literals stay: a name may choose an algorithm. Sources with other code give other texts.
std::string code_of(std::string_view source);

}  // namespace rethink
