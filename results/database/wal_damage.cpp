// Detects damage to a -wal by its frames. https://sqlite.org/fileformat.html, 4, describes the
// -wal; https://sqlite.org/walformat.html the -shm.
#include "results/database/wal_damage.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "core/files/file.h"
#include "core/files/lock.h"
#include "results/database/database_error.h"
#include "results/database/read_aside.h"

namespace rethink {
namespace {

constexpr size_t kWalHeaderBytes = 32, kFrameHeaderBytes = 24;
constexpr uint32_t kWalMagic = 0x377f0682;  // + 1: checksums of big-endian words
constexpr size_t kSaltAt = 16;              // in the header
/// SQLite writes a transaction in order: each frame once, and its commit last. A transaction that
/// is larger than the cache (8,000 pages in open_for_writing) is an exception: SQLite changes
/// frames after it has written later frames.
constexpr int64_t kWrittenInOrder = 1000;

using Salt = std::array<char, 8>;
using WalChecksum = std::array<uint32_t, 2>;

uint32_t word_at(const char* bytes, bool is_big_endian) {
  uint32_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return is_big_endian ? __builtin_bswap32(word) : word;
}

WalChecksum checksum_on(WalChecksum sum, std::string_view bytes, bool is_big_endian) {
  for (size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    sum[0] += word_at(bytes.data() + at, is_big_endian) + sum[1];
    sum[1] += word_at(bytes.data() + at + 4, is_big_endian) + sum[0];
  }
  return sum;
}

Salt salt_at(const char* bytes) {
  Salt salt{};
  std::memcpy(salt.data(), bytes, salt.size());
  return salt;
}

WalChecksum checksum_at(const char* bytes) {
  return {word_at(bytes, true), word_at(bytes + 4, true)};
}

/// `bytes` of the file from `offset` on; fewer if the file ends before.
std::string part_of(const FileDescriptor& file, const std::filesystem::path& path, size_t bytes,
                    int64_t offset) {
  std::string part(bytes, '\0');
  size_t done = 0;
  while (done < bytes) {
    const ssize_t more =
        pread(file.get(), part.data() + done, bytes - done, offset + static_cast<off_t>(done));
    if (more < 0 && errno != EINTR) throw_file_error(path, "cannot read", errno);
    if (more == 0) break;
    if (more > 0) done += static_cast<size_t>(more);
  }
  part.resize(done);
  return part;
}

/// Nothing if the file is missing or may not be read; SQLite then reports the reason.
FileDescriptor open_to_read(const std::filesystem::path& path) {
  return FileDescriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

/// Whether this process has the file open. Closing a second descriptor would end SQLite's locks on
/// the file.
bool is_open_here(const std::filesystem::path& path) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", none)) {
    std::error_code unknown;
    if (std::filesystem::equivalent(entry.path(), path, unknown)) return true;
  }
  return false;
}

/// The frames that SQLite committed, according to the -shm of a killed writer.
struct WalIndex {
  int64_t frames = 0;
  int64_t moved = 0;  // of these frames, those already in the database
  Salt salt{};
};

/// Nothing without a -shm that a writer left whole, and if this process already reads the database.
std::optional<WalIndex> wal_index(const std::filesystem::path& database) {
  constexpr size_t kHeader = 48, kFramesAt = 16, kIndexSaltAt = 32, kChecksumAt = 40,
                   kMovedAt = 2 * kHeader;
  const std::filesystem::path path = database.string() + "-shm";
  if (is_open_here(path)) return std::nullopt;
  const FileDescriptor file = open_to_read(path);
  if (!file) return std::nullopt;
  const std::string bytes = part_of(file, path, kMovedAt + 4, 0);
  if (bytes.size() < kMovedAt + 4 || bytes.compare(0, kHeader, bytes, kHeader, kHeader) != 0)
    return std::nullopt;
  const WalChecksum sum = checksum_on({}, std::string_view(bytes).substr(0, kChecksumAt), false);
  if (std::memcmp(sum.data(), bytes.data() + kChecksumAt, sizeof sum) != 0) return std::nullopt;
  return WalIndex{word_at(bytes.data() + kFramesAt, false), word_at(bytes.data() + kMovedAt, false),
                  salt_at(bytes.data() + kIndexSaltAt)};
}

/// The content of a -wal's frames.
struct WalFrames {
  int64_t last_commit = 0;          // among the frames that SQLite reads, from 1; 0: none
  int64_t stop = 0;                 // the first frame that SQLite does not read
  int64_t commits_behind = 0;       // commits after `stop`, of the same generation
  int64_t first_commit_behind = 0;  // its frame
  uint32_t lowest_page = 0;         // among the frames that SQLite reads; 0: none
  std::vector<int64_t> lowest;      // its frames
};

int64_t place_of_frame(int64_t number, size_t page_bytes) {
  return static_cast<int64_t>(kWalHeaderBytes) +
         (number - 1) * static_cast<int64_t>(kFrameHeaderBytes + page_bytes);
}

void note_lowest(uint32_t page, int64_t number, WalFrames& found) {
  if (found.lowest_page != 0 && page > found.lowest_page) return;
  if (page != found.lowest_page) found.lowest.clear();
  found.lowest_page = page;
  found.lowest.push_back(number);
}

/// The frames after a header whose checksum is right.
WalFrames read_frames(const FileDescriptor& file, const std::filesystem::path& path,
                      const std::string& header) {
  const bool is_big_endian = word_at(header.data(), true) != kWalMagic;
  const size_t page_bytes = word_at(header.data() + 8, true);
  const Salt salt = salt_at(header.data() + kSaltAt);
  const size_t frame_bytes = kFrameHeaderBytes + page_bytes;
  WalChecksum sum = checksum_at(header.data() + 24);
  WalFrames found;
  for (int64_t number = 1;; ++number) {
    const std::string frame = part_of(file, path, frame_bytes, place_of_frame(number, page_bytes));
    if (frame.size() < frame_bytes) {
      if (found.stop == 0) found.stop = number;
      return found;
    }
    const bool is_of_generation = salt_at(frame.data() + 8) == salt;
    const bool is_commit = is_of_generation && word_at(frame.data() + 4, true) != 0;
    if (found.stop == 0) {
      sum = checksum_on(sum, std::string_view(frame).substr(0, 8), is_big_endian);
      sum = checksum_on(sum, std::string_view(frame).substr(kFrameHeaderBytes), is_big_endian);
      if (!is_of_generation || sum != checksum_at(frame.data() + 16))
        found.stop = number;
      else if (is_commit)
        found.last_commit = number;
      if (found.stop == 0) note_lowest(word_at(frame.data(), true), number, found);
    } else if (is_commit && ++found.commits_behind == 1) {
      found.first_commit_behind = number;
    }
  }
}

bool is_whole_header(const std::string& header) {
  const uint32_t magic = word_at(header.data(), true),
                 page_bytes = word_at(header.data() + 8, true);
  if ((magic & ~1U) != kWalMagic || page_bytes < 512 || page_bytes > 65536) return false;
  return checksum_on({}, std::string_view(header).substr(0, 24), magic != kWalMagic) ==
         checksum_at(header.data() + 24);
}

/// Whether the pages are equal, apart from the checksum that the -wal lacks (page_checksums.h).
bool is_same_page(const std::string& page, const std::string& other) {
  constexpr size_t kOfChecksum = 8;
  return page.size() == other.size() && page.size() > kOfChecksum &&
         page.compare(0, page.size() - kOfChecksum, other, 0, other.size() - kOfChecksum) == 0;
}

/// Whether the database was written after its -wal and not from it: SQLite moves the lowest page
/// first. This is the state of a backup that was copied over the database of a killed writer.
bool is_of_another_database(const std::filesystem::path& database,
                            const std::filesystem::path& path, const FileDescriptor& wal,
                            size_t page_bytes, const WalFrames& frames) {
  constexpr std::chrono::seconds kCopying{2};  // a copy of both files may be written in any order
  std::error_code gone;
  const auto written = std::filesystem::last_write_time(database, gone);
  if (gone || written <= std::filesystem::last_write_time(path, gone) + kCopying) return false;
  const FileDescriptor file = open_to_read(database);
  if (!file || frames.lowest.empty()) return false;
  const std::string page =
      part_of(file, database, page_bytes,
              int64_t{frames.lowest_page - 1} * static_cast<int64_t>(page_bytes));
  return std::ranges::none_of(frames.lowest, [&](int64_t number) {
    const int64_t place = place_of_frame(number, page_bytes) + int64_t{kFrameHeaderBytes};
    return is_same_page(page, part_of(wal, path, page_bytes, place));
  });
}

}  // namespace

std::string wal_damage(const std::filesystem::path& database) {
  const std::filesystem::path path = database.string() + "-wal";
  const std::string name = path.filename().string();
  const std::optional<WalIndex> index = wal_index(database);
  const int64_t committed = index ? index->frames : 0;
  const int64_t unmoved = index ? std::max<int64_t>(0, index->frames - index->moved) : 0;
  const FileDescriptor file = open_to_read(path);
  if (!file && errno != ENOENT) return "";
  if (!file) {
    return unmoved == 0 ? ""
                        : fmt::format(
                              "{} is missing, whose last {} of {} frames, as {}-shm counts "
                              "them, are in no other file",
                              name, unmoved, committed, database.filename().string());
  }
  const std::string header = part_of(file, path, kWalHeaderBytes, 0);
  if (header.size() < kWalHeaderBytes) return unmoved > 0 ? name + " has a damaged header" : "";
  if (!is_whole_header(header)) return name + " has a damaged header";
  const WalFrames frames = read_frames(file, path, header);
  const bool is_indexed = committed > 0 && index->salt == salt_at(header.data() + kSaltAt);
  const bool is_lost = is_indexed && frames.last_commit < committed;
  const bool is_overtaken = frames.commits_behind > 1 ||
                            (frames.commits_behind == 1 &&
                             frames.first_commit_behind - frames.last_commit < kWrittenInOrder);
  if (is_lost || is_overtaken) return fmt::format("{} is damaged at frame {}", name, frames.stop);
  if (!is_of_another_database(database, path, file, word_at(header.data() + 8, true), frames))
    return "";
  return fmt::format("{0} is older than {1} and does not belong to it", name,
                     database.filename().string());
}

void require_whole_wal(const std::filesystem::path& store_folder,
                       const std::filesystem::path& database) {
  if (!std::filesystem::is_directory(store_folder)) return;  // a snapshot
  const DatabaseLooks before = looks_of(database);
  const std::string damage = wal_damage(database);
  if (damage.empty() || looks_of(database) != before || is_folder_locked(store_folder)) return;
  throw MachineError("damaged-database", damaged_database_text(database, damage, store_folder));
}

}  // namespace rethink
