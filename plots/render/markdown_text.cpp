#include "plots/render/markdown_text.h"

#include "plots/text_format.h"

namespace rethink {

std::string markdown_text(const std::string& text) {
  return escaped(text, {{"\\", "\\\\"},
                        {"|", "\\|"},
                        {"*", "\\*"},
                        {"_", "\\_"},
                        {"`", "\\`"},
                        {"[", "\\["},
                        {"]", "\\]"},
                        {"$", "\\$"},
                        {"<", "&lt;"}});
}

}  // namespace rethink
