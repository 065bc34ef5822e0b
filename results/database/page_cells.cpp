// https://sqlite.org/fileformat.html, 1.6, says what the bytes of a page mean.
#include "results/database/page_cells.h"

#include <algorithm>

namespace rethink {
namespace {

constexpr size_t kFileHeaderBytes = 100;  // in front of the header of page 1
constexpr size_t kLeastCell = 4, kPageNumberBytes = 4;
/// Of a record no column ends in this many bytes of 0.
constexpr size_t kLongestZeros = 8;

enum class PageKind : uint8_t {
  inner_index = 2,
  inner_table = 5,
  index_leaf = 10,
  table_leaf = 13
};

class PageCells {
 public:
  PageCells(std::string_view page, int64_t number)
      : page_(page), header_(number == 1 ? kFileHeaderBytes : 0) {}

  bool are_all_there() const {
    const size_t cells = two_bytes(header_ + 3), content = two_bytes(header_ + 5);
    const size_t pointers = header_ + (is_inner() ? 12 : 8);
    if (!is_tree() || pointers + 2 * cells > content || content > page_.size()) return false;
    size_t used = byte_at(header_ + 7);  // gaps of one to three bytes
    for (size_t i = 0; i < cells; ++i) {
      const size_t start = two_bytes(pointers + 2 * i);
      const size_t size = start < content ? 0 : cell_bytes(start);
      if (size == 0 || start + size > page_.size() || ends_in_zeros(start, size)) return false;
      used += size;
    }
    for (size_t block = two_bytes(header_ + 1), least = content; block != 0;) {
      const size_t next = two_bytes(block), size = two_bytes(block + 2);
      if (block < least || size < kLeastCell || block + size > page_.size()) return false;
      used += size;
      least = block + size;
      block = next;
    }
    return content + used == page_.size();
  }

 private:
  PageKind kind() const { return static_cast<PageKind>(byte_at(header_)); }
  bool is_inner() const {
    return kind() == PageKind::inner_index || kind() == PageKind::inner_table;
  }
  bool is_tree() const {
    return is_inner() || kind() == PageKind::index_leaf || kind() == PageKind::table_leaf;
  }

  /// 0 behind the end.
  size_t byte_at(size_t place) const {
    return place < page_.size() ? static_cast<uint8_t>(page_[place]) : 0;
  }
  size_t two_bytes(size_t place) const { return byte_at(place) << 8 | byte_at(place + 1); }

  /// Reads a number of variable length and moves `place` behind it.
  uint64_t number_at(size_t& place) const {
    uint64_t number = 0;
    for (int i = 0; i < 9; ++i) {
      const size_t byte = byte_at(place++);
      if (i == 8) return number << 8 | byte;
      number = number << 7 | (byte & 0x7f);
      if (byte < 0x80) break;
    }
    return number;
  }

  /// How much of a payload stays on the page.
  size_t local_bytes(uint64_t payload) const {
    const size_t usable = page_.size();
    const size_t most =
        kind() == PageKind::table_leaf ? usable - 35 : (usable - 12) * 64 / 255 - 23;
    if (payload <= most) return payload;
    const size_t least = (usable - 12) * 32 / 255 - 23;
    const size_t local = least + (payload - least) % (usable - kPageNumberBytes);
    return (local <= most ? local : least) + kPageNumberBytes;
  }

  size_t cell_bytes(size_t start) const {
    size_t place = start + (is_inner() ? kPageNumberBytes : 0);
    const uint64_t first = number_at(place);  // payload's length, or a key
    if (kind() == PageKind::table_leaf) number_at(place);
    const size_t payload = kind() == PageKind::inner_table ? 0 : local_bytes(first);
    return std::max(kLeastCell, place - start + payload);
  }

  bool ends_in_zeros(size_t start, size_t size) const {
    const size_t bytes = std::min(size, kLongestZeros);
    return page_.substr(start + size - bytes, bytes).find_first_not_of('\0') ==
           std::string_view::npos;
  }

  std::string_view page_;
  size_t header_;
};

}  // namespace

bool has_all_cells(std::string_view page, int64_t number) {
  return PageCells(page, number).are_all_there();
}

}  // namespace rethink
