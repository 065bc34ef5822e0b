// An HTML page that loads no other file.
#include "plots/render/html_page.h"
#include "plots/render/renderer.h"

namespace rethink {
namespace {

class Html : public SheetRenderer {
 public:
  std::string extension() const override { return "html"; }
  std::string sheet(const Sheet& sheet) const override {
    return html_page(sheet.title.empty() ? sheet.name : sheet.title, sheet_html(sheet));
  }
};

RETHINK_REGISTERED =
    renderers().add<NoFields>({.name = "html", .summary = "a complete web page"},
                              [](const NoFields&) { return std::make_shared<Html>(); });

}  // namespace
}  // namespace rethink
