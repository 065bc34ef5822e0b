#include "datasets/text/marked_pieces.h"

#include <algorithm>

namespace rethink {

std::string without_piece_marks(std::string_view line) {
  const std::string mark = std::string(kPieceMark) + " ", text = std::string(line) + " ";
  std::string joined;
  for (size_t from = 0; from < text.size();) {
    const size_t end = std::min(text.find(mark, from), text.size());
    joined += text.substr(from, end - from);
    from = end + mark.size();
  }
  joined.erase(joined.find_last_not_of(' ') + 1);
  return joined;
}

}  // namespace rethink
