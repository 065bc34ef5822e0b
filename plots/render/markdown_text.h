// Escapes text for GitHub-flavoured Markdown.
#pragma once

#include <string>

namespace rethink {

/// `text` as Markdown prints it, in a cell of a table too: with every mark escaped that means something
/// there.
std::string markdown_text(const std::string& text);

}  // namespace rethink
