#include "app/driver/utf8_names.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/text.h"

namespace rethink {
namespace {

/// `text` with each byte that is not UTF-8 as "\xE9".
std::string printable(std::string text) {
  for (size_t at = find_invalid_utf8(text); at != std::string::npos; at = find_invalid_utf8(text))
    text.replace(at, 1, fmt::format("\\x{:02X}", static_cast<unsigned char>(text[at])));
  return text;
}

}  // namespace

void require_utf8(const std::string& what, const std::string& text) {
  if (find_invalid_utf8(text) == std::string::npos) return;
  throw ConfigError(
      fmt::format("{}: got '{}', which is not UTF-8, as names in stores and sweeps have to be; "
                  "rename the folder or file (mv, convmv), or name another",
                  what, printable(text)));
}

}  // namespace rethink
