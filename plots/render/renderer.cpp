#include "plots/render/renderer.h"

namespace rethink {

std::optional<std::string> Renderer::after_another(const std::string&) const {
  return std::nullopt;
}

RendererRegistry& renderers() {
  static RendererRegistry registry("renderer", "plots/render");
  return registry;
}

std::string escaped(const std::string& text,
                    const std::vector<std::pair<std::string, std::string>>& replace) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t length = 0;
    for (const auto& [from, to] : replace) {
      if (text.compare(at, from.size(), from) != 0) continue;
      out += to;
      length = from.size();
      break;
    }
    if (length == 0) out += text[at];
    at += length == 0 ? 1 : length;
  }
  return out;
}

std::vector<HeaderGroup> header_groups(const Sheet& sheet) {
  std::vector<HeaderGroup> groups;
  for (size_t i = 0; i < sheet.headers.size(); ++i) {
    if (groups.empty() || groups.back().text != sheet.headers[i].group)
      groups.push_back({sheet.headers[i].group, i, 0});
    ++groups.back().count;
  }
  return groups;
}

}  // namespace rethink
