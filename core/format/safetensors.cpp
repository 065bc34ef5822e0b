#include "core/format/safetensors.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>

#include "core/files/file.h"
#include "core/files/named_file.h"
#include "core/files/store_file.h"
#include "core/format/file_kind.h"
#include "core/json.h"

namespace rethink {
namespace {

static_assert(std::endian::native == std::endian::little);

struct DtypeFacts {
  const char* name;
  size_t bytes;
};
constexpr std::array<DtypeFacts, 13> kDtypes = {{{"BOOL", 1},
                                                 {"U8", 1},
                                                 {"I8", 1},
                                                 {"I16", 2},
                                                 {"U16", 2},
                                                 {"F16", 2},
                                                 {"BF16", 2},
                                                 {"I32", 4},
                                                 {"U32", 4},
                                                 {"F32", 4},
                                                 {"I64", 8},
                                                 {"U64", 8},
                                                 {"F64", 8}}};

constexpr const char* kMetadata = "__metadata__";
constexpr size_t kLengthBytes = 8;
constexpr size_t kAlignment = 8;

/// Elements times element size; nothing if the product exceeds 64 bits.
std::optional<uint64_t> size_of(Dtype dtype, const std::vector<int64_t>& shape) {
  uint64_t size = bytes_of(dtype);
  for (const int64_t length : shape) {
    if (length < 0 || __builtin_mul_overflow(size, static_cast<uint64_t>(length), &size))
      return std::nullopt;
  }
  return size;
}

std::string shape_text(const std::vector<int64_t>& shape) {
  std::vector<std::string> lengths;
  for (const int64_t length : shape) lengths.push_back(std::to_string(length));
  return "[" + joined(lengths) + "]";
}

/// Reads one entry of the header. Its ConfigError does not name the file.
TensorView view_of(const std::string& name, const Json& entry, std::span<const std::byte> data) {
  const auto is_count = [](const Json& value) { return value.is_number_unsigned(); };
  const bool well_formed =
      entry.is_object() && entry.size() == 3 && entry.contains("dtype") &&
      entry["dtype"].is_string() && entry.contains("shape") && entry["shape"].is_array() &&
      std::ranges::all_of(entry["shape"], is_count) && entry.contains("data_offsets") &&
      entry["data_offsets"].is_array() && entry["data_offsets"].size() == 2 &&
      std::ranges::all_of(entry["data_offsets"], is_count);
  if (!well_formed)
    throw ConfigError("invalid-safetensors",
                      fmt::format("tensor '{}': got {}, expected dtype, shape and data_offsets",
                                  name, entry.dump()));
  TensorView view{dtype_named(entry["dtype"]), entry["shape"].get<std::vector<int64_t>>(), {}};
  const uint64_t begin = entry["data_offsets"][0], end = entry["data_offsets"][1];
  if (begin > end || end > data.size()) {
    throw ConfigError("invalid-safetensors",
                      fmt::format("tensor '{}': bytes {} to {} reach beyond the {} bytes of data",
                                  name, begin, end, data.size()));
  }
  const auto size = size_of(view.dtype, view.shape);
  if (!size || *size != end - begin) {
    throw ConfigError("invalid-safetensors",
                      fmt::format("tensor '{}': {} bytes do not hold {} values of shape {}", name,
                                  end - begin, to_text(view.dtype), shape_text(view.shape)));
  }
  view.bytes = data.subspan(begin, end - begin);
  return view;
}

std::string header_of(const std::vector<TensorViews::const_iterator>& order,
                      const TensorMetadata& metadata) {
  Json header = Json::object();
  if (!metadata.empty()) header[kMetadata] = metadata;
  uint64_t offset = 0;
  for (const auto& entry : order) {
    const TensorView& tensor = entry->second;
    header[entry->first] = {{"dtype", to_text(tensor.dtype)},
                            {"shape", tensor.shape},
                            {"data_offsets", {offset, offset + tensor.bytes.size()}}};
    offset += tensor.bytes.size();
  }
  std::string text = header.dump();
  text.append((kAlignment - text.size() % kAlignment) % kAlignment, ' ');
  return text;
}

}  // namespace

const char* to_text(Dtype dtype) {
  return kDtypes[static_cast<size_t>(dtype)].name;
}

Dtype dtype_named(const std::string& text) {
  const auto found =
      std::ranges::find_if(kDtypes, [&](const DtypeFacts& facts) { return text == facts.name; });
  if (found == kDtypes.end())
    throw ConfigError("invalid-safetensors", "unknown dtype '" + text + "'");
  return static_cast<Dtype>(found - kDtypes.begin());
}

size_t bytes_of(Dtype dtype) {
  return kDtypes[static_cast<size_t>(dtype)].bytes;
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path)
    : path_(path), file_(open_store_file(path, O_RDONLY), path) {
  if (file_.bytes().empty()) refuse_other_kind("", path.string(), ExpectedFile::safetensors);
  refuse_git_pointer(path);
  try {
    read_header();
  } catch (const ConfigError& error) {
    const std::string kind =
        other_kind_of_file(file_.bytes(), path.string(), ExpectedFile::safetensors);
    if (!kind.empty()) throw ConfigError("wrong-file", kind);
    throw ConfigError("invalid-safetensors",
                      path.string() + ": not a whole safetensors file: " + error.what());
  }
}

void SafetensorsFile::read_header() {
  const std::string_view file = file_.bytes();
  if (file.size() < kLengthBytes)
    throw ConfigError("invalid-safetensors", fmt::format("{} bytes are too few", file.size()));
  uint64_t length = 0;
  std::memcpy(&length, file.data(), kLengthBytes);
  if (length > file.size() - kLengthBytes) {
    throw ConfigError(
        "invalid-safetensors",
        fmt::format("the header's {} bytes reach beyond the file's {}", length, file.size()));
  }
  const std::string_view text = file.substr(kLengthBytes, length);
  const auto data = std::as_bytes(std::span(file.substr(kLengthBytes + length)));
  const Json header = parse_json(text, "header");
  if (!header.is_object())
    throw ConfigError("invalid-safetensors", "the header is not a JSON object");
  for (const auto& [name, entry] : header.items()) {
    if (name != kMetadata) {
      tensors_[name] = view_of(name, entry, data);
      continue;
    }
    const auto is_text = [](const Json& value) { return value.is_string(); };
    if (!entry.is_object() || !std::ranges::all_of(entry, is_text)) {
      throw ConfigError("invalid-safetensors", "__metadata__ must map text to text");
    }
    metadata_ = entry.get<TensorMetadata>();
  }
  require_whole(data);
}

void SafetensorsFile::require_whole(std::span<const std::byte> data) const {
  std::vector<TensorViews::const_iterator> order;
  for (auto entry = tensors_.begin(); entry != tensors_.end(); ++entry) order.push_back(entry);
  const std::byte* expected = data.data();
  std::ranges::sort(order, [](const auto& a, const auto& b) {
    const auto key = [](const auto& entry) {
      return std::make_pair(entry->second.bytes.data(), entry->second.bytes.size());
    };
    return key(a) < key(b);
  });
  for (const auto& entry : order) {
    const std::span<const std::byte>& bytes = entry->second.bytes;
    if (bytes.data() != expected) {
      throw ConfigError("invalid-safetensors",
                        fmt::format("tensor '{}' {} its neighbour", entry->first,
                                    bytes.data() < expected ? "overlaps" : "leaves a gap after"));
    }
    expected += bytes.size();
  }
  const size_t unused = static_cast<size_t>(data.data() + data.size() - expected);
  if (unused > 0)
    throw ConfigError("invalid-safetensors",
                      fmt::format("{} bytes at the end belong to no tensor", unused));
}

const TensorView& SafetensorsFile::at(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found != tensors_.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, tensor] : tensors_) names.push_back(known);
  throw ConfigError("missing-tensor", fmt::format("{}: no tensor '{}'{}", path_.string(), name,
                                                  did_you_mean(name, names)));
}

void write_safetensors(const std::filesystem::path& path, const TensorViews& tensors,
                       const TensorMetadata& metadata) {
  std::vector<TensorViews::const_iterator> order;
  for (auto entry = tensors.begin(); entry != tensors.end(); ++entry) {
    const TensorView& tensor = entry->second;
    RETHINK_ASSERT(
        entry->first != kMetadata && size_of(tensor.dtype, tensor.shape) == tensor.bytes.size(),
        fmt::format("{} {} in {} bytes", entry->first, shape_text(tensor.shape),
                    tensor.bytes.size()));
    order.push_back(entry);
  }
  std::ranges::stable_sort(order, [](const auto& a, const auto& b) {
    return bytes_of(a->second.dtype) > bytes_of(b->second.dtype);
  });
  const std::string header = header_of(order, metadata);
  const uint64_t length = header.size();
  std::string head(kLengthBytes, '\0');
  std::memcpy(head.data(), &length, kLengthBytes);
  const FileDescriptor file = open_file(path, O_WRONLY | O_CREAT | O_TRUNC);
  write_all(file.get(), head + header, path);
  for (const auto& entry : order) {
    const std::span<const std::byte>& bytes = entry->second.bytes;
    write_all(file.get(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
  }
}

void write_safetensors_durably(const std::filesystem::path& path, const TensorViews& tensors,
                               const TensorMetadata& metadata) {
  PendingFile pending(path);
  write_safetensors(pending.temporary(), tensors, metadata);
  pending.publish();
}

}  // namespace rethink
