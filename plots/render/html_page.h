// Pieces of web pages, which the renderer html and `rethink report` share.
#pragma once

#include <string>

#include "plots/render/sheet.h"

namespace rethink {

std::string escape_html(const std::string& text);
/// Returns a section with the sheet's table, footnotes and notes.
std::string sheet_html(const Sheet& sheet);
/// Returns a whole page around `body`, with its style and the window's title. The page loads
/// nothing from elsewhere.
std::string html_page(const std::string& title, const std::string& body);

}  // namespace rethink
