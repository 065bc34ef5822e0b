// SQLite reads and writes files through a "VFS". This VFS passes every call to SQLite's own VFS,
// and checks the pages. https://sqlite.org/vfs.html describes the functions.
// https://sqlite.org/fileformat.html, 1.6, describes the bytes of a page.
#include "results/database/page_checksums.h"

#include <SQLiteCpp/Database.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string_view>

#include "core/error.h"
#include "core/files/file.h"
#include "results/database/schema.h"

namespace rethink {
namespace {

constexpr size_t kFileHeaderBytes = 100;  // before the header of page 1
constexpr size_t kLeastCell = 4, kPageNumberBytes = 4;
/// No column of a record ends in this many bytes of 0.
constexpr size_t kLongestZeros = 8;

enum class PageKind : uint8_t {
  inner_index = 2,
  inner_table = 5,
  index_leaf = 10,
  table_leaf = 13
};

/// The parts of a page: cells, free blocks and gaps.
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

  /// 0 after the end.
  size_t byte_at(size_t place) const {
    return place < page_.size() ? static_cast<uint8_t>(page_[place]) : 0;
  }
  size_t two_bytes(size_t place) const { return byte_at(place) << 8 | byte_at(place + 1); }

  /// Reads a number of variable length and moves `place` past it.
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

  /// How many bytes of a payload are on the page.
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

/// Whether the page of a table or an index has all its cells and free blocks up to its end. Zeros
/// there are then free space and not lost data. `page`: its bytes without those that SQLite leaves
/// alone; `number`: from 1. False for a page of another kind.
bool has_all_cells(std::string_view page, int64_t number) {
  return PageCells(page, number).are_all_there();
}

constexpr const char* kLayer = "rethink-page-checksums";
constexpr int kPageBytes = 4096;
constexpr int kChecksumBytes = 8;
/// Tells the VFS to write pages with checksums from now on.
constexpr int kKeepChecksums = kApplicationId;

// Fields of a database's header (https://sqlite.org/fileformat.html, 1.3).
constexpr int kHeaderBytes = 100;
constexpr int kReservedAt = 20, kChangesAt = 24, kPagesAt = 28, kFormatAt = 60, kApplicationAt = 68,
              kChangesOfPagesAt = 92;
constexpr std::string_view kBegin("SQLite format 3\0", 16);
constexpr uint32_t kFirstFormatWithChecksums = 2;
static_assert(std::endian::native == std::endian::little, "words are hashed as they lie in memory");

using Page = std::array<char, kPageBytes>;

uint32_t big_endian(const char* bytes) {
  uint32_t number = 0;
  std::memcpy(&number, bytes, sizeof number);
  return __builtin_bswap32(number);
}

/// Three fields of the header agree on checksums, and two are enough: damage to one field cannot
/// turn the comparison off.
bool header_says_checksums(const char* header) {
  const uint32_t format = big_endian(header + kFormatAt);
  const bool has_such_format = kFirstFormatWithChecksums <= format && format <= kNewestFormat;
  const int facts = (header[kReservedAt] == kChecksumBytes ? 1 : 0) + (has_such_format ? 1 : 0) +
                    (big_endian(header + kApplicationAt) == kApplicationId ? 1 : 0);
  return facts >= 2;
}

/// A hash of the page's number and of its bytes without the last eight. Each step is a bijection of
/// the words before, so that a change within one word always changes the hash.
uint64_t page_checksum(const char* page, int64_t number) {
  constexpr uint64_t kOdd = 0x9E3779B97F4A7C15;
  uint64_t hash = static_cast<uint64_t>(number) * kOdd;
  for (int at = 0; at < kPageBytes - kChecksumBytes; at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, page + at, sizeof word);
    hash = (hash ^ word) * kOdd;
    hash ^= hash >> 32;
  }
  return hash == 0 ? 1 : hash;
}

enum class PageMark { fits, absent, wrong };

/// Whether SQLite can have written a page without a checksum, or a disk lost the page's end. Cells
/// fill the page of a table or an index from its end, and no cell ends in eight bytes of 0; but a
/// row that grew or was deleted leaves free space there. Of a long text, only the last page is not
/// full (https://sqlite.org/fileformat.html, 1.6 and 1.7).
bool may_be_written_by_others(const char* page, int64_t number) {
  constexpr std::string_view kTrees = "\x02\x05\x0a\x0d";
  const auto has_any = [](const char* bytes, int count) {
    return std::any_of(bytes, bytes + count, [](char byte) { return byte != 0; });
  };
  const char* const header = page + (number == 1 ? kHeaderBytes : 0);
  const bool is_tree = kTrees.find(*header) != std::string_view::npos;
  const bool is_full = is_tree ? has_any(header + 3, 2) : has_any(page, 4);
  if (!is_full) return has_any(page, kPageBytes);
  return has_any(page + kPageBytes - kChecksumBytes - 8, 8) ||
         (is_tree && has_all_cells({page, kPageBytes - kChecksumBytes}, number));
}

/// The mark is 0 in a page that another program's SQLite moved from the -wal into the file
/// (read_page).
PageMark mark_of(const char* page, int64_t number) {
  uint64_t kept = 0;
  std::memcpy(&kept, page + kPageBytes - kChecksumBytes, sizeof kept);
  if (kept == page_checksum(page, number)) return PageMark::fits;
  return kept == 0 && may_be_written_by_others(page, number) ? PageMark::absent : PageMark::wrong;
}

/// An open database; SQLite's own file object follows in the same memory.
struct CheckedFile {
  sqlite3_file as_sqlite;
  bool has_checksums;
};
constexpr size_t kOwnBytes = (sizeof(CheckedFile) + 15) / 16 * 16;

CheckedFile& checked(sqlite3_file* file) {
  return *reinterpret_cast<CheckedFile*>(file);
}

sqlite3_file* below(sqlite3_file* file) {
  return reinterpret_cast<sqlite3_file*>(reinterpret_cast<char*>(file) + kOwnBytes);
}

int close_file(sqlite3_file* file) {
  return below(file)->pMethods->xClose(below(file));
}

/// SQLite's xFileSize also returns 0 for a file of one byte.
bool is_empty(sqlite3_file* file) {
  char first = 0;
  return below(file)->pMethods->xRead(below(file), &first, 1, 0) == SQLITE_IOERR_SHORT_READ;
}

int read_page(sqlite3_file* file, char* page, int64_t start) {
  const int code = below(file)->pMethods->xRead(below(file), page, kPageBytes, start);
  if (code == SQLITE_IOERR_SHORT_READ)
    return SQLITE_CORRUPT;  // SQLite would read zeros for the rest
  if (code != SQLITE_OK) return code;
  if (mark_of(page, start / kPageBytes + 1) == PageMark::wrong) return SQLITE_CORRUPT;
  // SQLite copies these bytes into the -wal with the changed page. Any program that closes the
  // database last moves the page from the -wal into the file, where an old checksum would be wrong.
  std::memset(page + kPageBytes - kChecksumBytes, 0, kChecksumBytes);
  return SQLITE_OK;
}

int read_file_part(sqlite3_file* file, void* buffer, int bytes, sqlite3_int64 offset) {
  CheckedFile& own = checked(file);
  const bool is_header = offset + bytes <= kHeaderBytes;
  if (is_header || !own.has_checksums) {
    const int code = below(file)->pMethods->xRead(below(file), buffer, bytes, offset);
    // SQLite would treat a file that is shorter than its header as a new file.
    if (is_header && code == SQLITE_IOERR_SHORT_READ && !is_empty(file)) return SQLITE_CORRUPT;
    if (offset == 0 && bytes >= kHeaderBytes && code == SQLITE_OK)
      own.has_checksums = own.has_checksums || header_says_checksums(static_cast<char*>(buffer));
    if (is_header || !own.has_checksums || code != SQLITE_OK) return code;
  }
  const sqlite3_int64 within = offset % kPageBytes;
  if (within == 0 && bytes == kPageBytes)
    return read_page(file, static_cast<char*>(buffer), offset);
  // A damaged header gives another page size.
  if (within + bytes > kPageBytes) return SQLITE_CORRUPT;
  Page page;
  const int code = read_page(file, page.data(), offset - within);
  std::memcpy(buffer, page.data() + within, static_cast<size_t>(bytes));
  return code;
}

int write_file_part(sqlite3_file* file, const void* buffer, int bytes, sqlite3_int64 offset) {
  CheckedFile& own = checked(file);
  if (offset == 0 && bytes == kPageBytes)
    own.has_checksums =
        own.has_checksums || header_says_checksums(static_cast<const char*>(buffer));
  if (!own.has_checksums) return below(file)->pMethods->xWrite(below(file), buffer, bytes, offset);
  if (bytes != kPageBytes || offset % kPageBytes != 0) return SQLITE_IOERR_WRITE;
  Page page;
  std::memcpy(page.data(), buffer, kPageBytes);
  const uint64_t checksum = page_checksum(page.data(), offset / kPageBytes + 1);
  std::memcpy(page.data() + kPageBytes - kChecksumBytes, &checksum, sizeof checksum);
  return below(file)->pMethods->xWrite(below(file), page.data(), kPageBytes, offset);
}

int control_file(sqlite3_file* file, int what, void* argument) {
  if (what == kKeepChecksums) {
    checked(file).has_checksums = true;
    return SQLITE_OK;
  }
  return below(file)->pMethods->xFileControl(below(file), what, argument);
}

/// Otherwise SQLite may read parts of pages without calling this VFS.
int characteristics(sqlite3_file* file) {
  constexpr int kSubpageRead = 0x8000;  // SQLITE_IOCAP_SUBPAGE_READ of SQLite 3.48
  return below(file)->pMethods->xDeviceCharacteristics(below(file)) & ~kSubpageRead;
}

/// Version 2: with shared memory for the -wal, but without memory-mapped pages, which would bypass
/// this VFS.
constexpr sqlite3_io_methods kMethods = {
    .iVersion = 2,
    .xClose = close_file,
    .xRead = read_file_part,
    .xWrite = write_file_part,
    .xTruncate =
        [](sqlite3_file* file, sqlite3_int64 bytes) {
          return below(file)->pMethods->xTruncate(below(file), bytes);
        },
    .xSync = [](sqlite3_file* file,
                int how) { return below(file)->pMethods->xSync(below(file), how); },
    .xFileSize =
        [](sqlite3_file* file, sqlite3_int64* bytes) {
          return below(file)->pMethods->xFileSize(below(file), bytes);
        },
    .xLock = [](sqlite3_file* file,
                int how) { return below(file)->pMethods->xLock(below(file), how); },
    .xUnlock = [](sqlite3_file* file,
                  int how) { return below(file)->pMethods->xUnlock(below(file), how); },
    .xCheckReservedLock =
        [](sqlite3_file* file, int* held) {
          return below(file)->pMethods->xCheckReservedLock(below(file), held);
        },
    .xFileControl = control_file,
    .xSectorSize =
        [](sqlite3_file* file) { return below(file)->pMethods->xSectorSize(below(file)); },
    .xDeviceCharacteristics = characteristics,
    .xShmMap =
        [](sqlite3_file* file, int region, int bytes, int extend, void volatile** memory) {
          return below(file)->pMethods->xShmMap(below(file), region, bytes, extend, memory);
        },
    .xShmLock =
        [](sqlite3_file* file, int offset, int count, int flags) {
          return below(file)->pMethods->xShmLock(below(file), offset, count, flags);
        },
    .xShmBarrier = [](sqlite3_file* file) { below(file)->pMethods->xShmBarrier(below(file)); },
    .xShmUnmap = [](sqlite3_file* file,
                    int remove) { return below(file)->pMethods->xShmUnmap(below(file), remove); },
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

int open_layer(sqlite3_vfs* layer, const char* name, sqlite3_file* file, int flags,
               int* out_flags) {
  auto* const own = static_cast<sqlite3_vfs*>(layer->pAppData);
  // Journals, the -wal and temporary files do not contain pages in our form.
  if (!(flags & SQLITE_OPEN_MAIN_DB)) return own->xOpen(own, name, file, flags, out_flags);
  const int code = own->xOpen(own, name, below(file), flags, out_flags);
  checked(file).as_sqlite.pMethods = below(file)->pMethods ? &kMethods : nullptr;
  checked(file).has_checksums = false;
  return code;
}

/// The bytes of the file from `offset` on: as many as `buffer` takes and the file has.
size_t read_some(int file, const std::filesystem::path& path, char* buffer, size_t bytes,
                 int64_t offset) {
  size_t done = 0;
  while (done < bytes) {
    const ssize_t more =
        pread(file, buffer + done, bytes - done, offset + static_cast<off_t>(done));
    if (more < 0 && errno != EINTR) throw_file_error(path, "cannot read", errno);
    if (more == 0) break;
    if (more > 0) done += static_cast<size_t>(more);
  }
  return done;
}

/// The number of pages in the header; 0 if the last writer does not keep this number.
int64_t pages_of_header(const char* header) {
  const bool is_valid = big_endian(header + kChangesAt) == big_endian(header + kChangesOfPagesAt);
  return is_valid ? big_endian(header + kPagesAt) : 0;
}

}  // namespace

const char* page_checksum_layer() {
  static sqlite3_vfs layer = [] {
    sqlite3_vfs* const own = sqlite3_vfs_find(nullptr);
    sqlite3_vfs made = *own;
    made.pNext = nullptr;
    made.zName = kLayer;
    made.pAppData = own;
    made.szOsFile += static_cast<int>(kOwnBytes);
    made.xOpen = open_layer;
    return made;
  }();
  static std::once_flag once;
  std::call_once(once, [] { sqlite3_vfs_register(&layer, 0); });
  return kLayer;
}

void keep_page_checksums(SQLite::Database& database) {
  int reserved = kChecksumBytes;
  sqlite3_file_control(database.getHandle(), "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
  sqlite3_file_control(database.getHandle(), "main", kKeepChecksums, nullptr);
}

InvalidPages unfit_pages(const std::filesystem::path& database) {
  const FileDescriptor file = open_file(database, O_RDONLY);
  InvalidPages unfit;
  // A page that can be read is not the cause of an error.
  const auto report = [&](int64_t number, const std::string& problem) {
    if (unfit.first && unfit.first != unfit.of_another_program) return;
    unfit.first = number;
    unfit.problem = problem;
  };
  Page page{};
  int64_t pages = 0;
  for (int64_t number = 1;; ++number) {
    const size_t bytes =
        read_some(file.get(), database, page.data(), page.size(), (number - 1) * kPageBytes);
    const bool has_header = number > 1 || bytes >= kHeaderBytes;
    if (number == 1 && has_header && !header_says_checksums(page.data())) {
      if (std::string_view(page.data(), kBegin.size()) != kBegin)
        report(number, "its first bytes are not those of a database");
      return unfit;
    }
    if (number == 1 && has_header) pages = pages_of_header(page.data());
    if (bytes == 0) {
      if (number <= pages) report(number, fmt::format("page {} is missing", number));
      return unfit;
    }
    const PageMark mark = bytes < page.size() ? PageMark::wrong : mark_of(page.data(), number);
    if (mark == PageMark::fits) continue;
    if (mark == PageMark::wrong || !unfit.first)
      report(number, fmt::format("page {} does not have its checksum", number));
    if (mark == PageMark::absent && !unfit.of_another_program) unfit.of_another_program = number;
    if (bytes < page.size()) return unfit;
    // A hole may be terabytes long, and all its pages are equal.
    const off_t data = lseek(file.get(), number * kPageBytes, SEEK_DATA);
    if (data < 0 && errno == ENXIO) return unfit;
    if (data > 0) number = std::max(number, data / kPageBytes);
  }
}

bool is_without_page_checksums(const std::filesystem::path& database) {
  const FileDescriptor file = open_file(database, O_RDONLY);
  std::array<char, kHeaderBytes> header{};
  return read_some(file.get(), database, header.data(), header.size(), 0) == header.size() &&
         header[kReservedAt] == 0 && big_endian(header.data() + kFormatAt) == 1 &&
         big_endian(header.data() + kApplicationAt) == kApplicationId;
}

}  // namespace rethink
