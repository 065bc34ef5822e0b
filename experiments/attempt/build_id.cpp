#include "experiments/attempt/build_id.h"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <optional>
#include <vector>

#include "core/files/file.h"
#include "core/system/loaded_libraries.h"

namespace rethink {
namespace {

/// `size` bytes at `offset`, or fewer at the end of the file.
std::string bytes_at(const FileDescriptor& file, uint64_t offset, size_t size) {
  std::string bytes(size, '\0');
  const ssize_t got = pread(file.get(), bytes.data(), size, static_cast<off_t>(offset));
  bytes.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return bytes;
}

SourceHashes& mutable_own_sources() {
  static SourceHashes sources;
  return sources;
}

/// The struct at `offset` of `bytes`, if all its bytes are there.
template <typename T>
std::optional<T> struct_at(const std::string& bytes, size_t offset) {
  if (offset + sizeof(T) > bytes.size()) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace

std::string build_id_of(const std::filesystem::path& program) {
  const FileDescriptor file = open_file(program, O_RDONLY);
  const auto header = struct_at<Elf64_Ehdr>(bytes_at(file, 0, sizeof(Elf64_Ehdr)), 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) {
    throw MachineError("wrong-file", program.string() + ": is not a program");
  }
  const std::string table =
      bytes_at(file, header->e_phoff, size_t{header->e_phnum} * sizeof(Elf64_Phdr));
  for (size_t i = 0; const auto segment = struct_at<Elf64_Phdr>(table, i * sizeof(Elf64_Phdr));
       ++i) {
    if (segment->p_type != PT_NOTE) continue;
    const std::string id = build_id_in_notes(bytes_at(file, segment->p_offset, segment->p_filesz));
    if (!id.empty()) return id;
  }
  throw MachineError("missing-build-id",
                     program.string() + ": has no build id; link it with -Wl,--build-id");
}

const std::string& own_build_id() {
  static const std::string id = build_id_of("/proc/self/exe");
  return id;
}

std::string commit_of(const std::filesystem::path& programs) {
  std::string commit;
  std::ifstream(programs / "rethink.commit") >> commit;
  return commit;
}

const std::string& own_commit() {
  static const std::string commit =
      commit_of(std::filesystem::read_symlink("/proc/self/exe").parent_path());
  return commit;
}

const SourceHashes& own_sources() {
  return mutable_own_sources();
}

void set_own_sources(SourceHashes sources) {
  mutable_own_sources() = std::move(sources);
}

}  // namespace rethink
