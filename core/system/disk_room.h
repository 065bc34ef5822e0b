// How full a disk is, in words.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace rethink {

struct DiskRoom {
  uint64_t bytes = 0, free_bytes = 0;    // free: for us
  uint64_t inodes = 0, free_inodes = 0;  // 0 inodes: the file system does not count them
};

/// Of the disk that holds `path` or would. Throws as throw_file_error.
DiskRoom disk_room(const std::filesystem::path& path);

/// Whether no file can be made there, however small.
inline bool lacks_inodes(const DiskRoom& room) {
  return room.inodes > 0 && room.free_inodes == 0;
}

/// "the disk at / (/dev/vdb) is full: 0.00 of 9.00 GiB free", that it takes no more though some is
/// free, or that no inode is left. `disk`: where it is mounted.
std::string text_of_full_disk(const std::string& disk, const DiskRoom& room);

}  // namespace rethink
