// The part of a C++ source that can change numbers: its code without comments, messages, summaries and
// descriptions of options.
#pragma once

#include <string>
#include <string_view>

namespace rethink {

/// Returns the code of a C++ or CUDA source in a form that does not change with comments, line breaks and messages.
/// Messages are string literals in four positions: in a thrown expression (with the error's code), in a check or call
/// that kMessageCalls (code_of.cpp) lists, in a plug-in's summary, and from the third argument of `field(` on (an
/// option's description). All other literals stay, since a name may choose an algorithm. Different code gives
/// different texts.
std::string code_of(std::string_view source);

}  // namespace rethink
