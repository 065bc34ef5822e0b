// Escapes text for GitHub-flavoured Markdown.
#pragma once

#include <string>

namespace rethink {

/// Returns `text` for Markdown, also in a cell of a table, with every mark escaped that has a
/// meaning there.
std::string markdown_text(const std::string& text);

}  // namespace rethink
