// A file mapped into memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace rethink {

class FileDescriptor;  // core/files/file.h

/// The bytes of a whole file, read on access. The file may be deleted, but must not become shorter.
class MappedFile {
 public:
  /// Maps `file`, open for reading. `path` is its name in messages. Throws as throw_file_error.
  MappedFile(const FileDescriptor& file, const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// Returns all bytes, which live as long as the object.
  std::string_view bytes() const { return {static_cast<const char*>(memory_), size_}; }

 private:
  void* memory_ = nullptr;
  size_t size_ = 0;
};

}  // namespace rethink
