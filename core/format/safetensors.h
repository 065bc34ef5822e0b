// Reader and writer of safetensors files: 8 bytes of header length (little endian), a JSON header
// with dtype, shape and offsets of each tensor, then the bytes. The format of Hugging Face weights
// and of our checkpoints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/files/mapped_file.h"

namespace rethink {

/// Element types by their names in the format: BOOL U8 I8 I16 U16 F16 BF16 I32 U32 F32 I64 U64 F64.
enum class Dtype { boolean, u8, i8, i16, u16, f16, bf16, i32, u32, f32, i64, u64, f64 };

const char* to_text(Dtype dtype);
/// Throws ConfigError for any other name.
Dtype dtype_named(const std::string& text);
size_t bytes_of(Dtype dtype);

/// A tensor's values, row-major and little endian, in memory that it does not own.
struct TensorView {
  Dtype dtype = Dtype::f32;
  std::vector<int64_t> shape;  // empty = a scalar
  std::span<const std::byte> bytes;
};

using TensorViews = std::map<std::string, TensorView>;
using TensorMetadata = std::map<std::string, std::string>;

/// A file mapped into memory; the views of its tensors live as long as it does.
class SafetensorsFile {
 public:
  /// Opens a file. Throws MachineError if the file cannot be read, and ConfigError "PATH: ..." for
  /// damage: a truncated file, a duplicate name, a size that is not shape times dtype, and tensors
  /// that overlap, leave gaps or exceed the file. Cost: reads the header; tensors are read on
  /// access.
  explicit SafetensorsFile(const std::filesystem::path& path);

  const TensorViews& tensors() const { return tensors_; }
  const TensorMetadata& metadata() const { return metadata_; }
  bool has(const std::string& name) const { return tensors_.contains(name); }
  /// Throws ConfigError "PATH: no tensor 'x'; did you mean 'y'?".
  const TensorView& at(const std::string& name) const;

 private:
  void read_header();
  void require_whole(std::span<const std::byte> data) const;

  std::filesystem::path path_;
  MappedFile file_;
  TensorViews tensors_;
  TensorMetadata metadata_;
};

/// Writes `path` in place. Equal input gives equal bytes. Tensors are ordered by falling element
/// size, then by name, so that each is aligned to its element. Not durable, for files that others
/// publish (CheckpointFolder::publish, JobContext::add_artifact). Throws MachineError
/// (DiskFullError).
void write_safetensors(const std::filesystem::path& path, const TensorViews& tensors,
                       const TensorMetadata& metadata);

/// Does the same atomically. Durable: either the whole new file or the old file.
void write_safetensors_durably(const std::filesystem::path& path, const TensorViews& tensors,
                               const TensorMetadata& metadata);

}  // namespace rethink
