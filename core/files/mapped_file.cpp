#include "core/files/mapped_file.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>

#include "core/files/file.h"
#include "core/system/machine_fault.h"

namespace rethink {

MappedFile::MappedFile(const FileDescriptor& file, const std::filesystem::path& path) {
  struct stat status {};
  if (fstat(file.get(), &status) != 0) throw_file_error(path, "cannot read", errno);
  if (status.st_size == 0) return;  // mmap refuses an empty range
  const auto size = static_cast<size_t>(status.st_size);
  void* const memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (memory == MAP_FAILED) throw_file_error(path, "cannot map", errno);
  memory_ = memory;
  size_ = size;
}

MappedFile::~MappedFile() {
  if (size_ > 0) munmap(memory_, size_);
}

}  // namespace rethink
