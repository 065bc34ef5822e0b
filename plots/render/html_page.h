// Pieces of web pages, which the renderer html and `rethink report` share.
#pragma once

#include <string>

#include "plots/render/sheet.h"

namespace rethink {

std::string escape_html(const std::string& text);
/// A section with the sheet's table, footnotes and notes.
std::string sheet_html(const Sheet& sheet);
/// A whole page around `body`, with its style; the title is the window's. Nothing is loaded from
/// elsewhere.
std::string html_page(const std::string& title, const std::string& body);

}  // namespace rethink
