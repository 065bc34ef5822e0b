#include "datasets/files/token_cache.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <optional>

#include "core/config/schema.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/hash.h"
#include "core/files/lock.h"
#include "core/files/mapped_file.h"
#include "core/json.h"

namespace rethink {
namespace {

/// Version of the rules by which text files are read (text_lines.h). 3: no byte order marks, and \n
/// for every line end.
constexpr int kTextFormat = 3;

// The file: preamble, header (JSON, padded to 8 bytes), vocabulary (text), then per split offsets
// u64 and tokens i32, each part beginning at a multiple of 8.
struct Preamble {
  char magic[8] = {'r', 't', 'o', 'k', 'e', 'n', 's', '1'};
  uint32_t header_bytes = 0;
  uint32_t header_crc = 0;
};

/// Error of a cache file, used only in this file.
struct DamagedCache : std::runtime_error {
  using std::runtime_error::runtime_error;
};

size_t padded(size_t bytes) {
  return (bytes + 7) / 8 * 8;
}

/// Returns `count` values of type T at byte `at` of `payload`.
template <typename T>
std::span<const T> part(std::string_view payload, size_t at, size_t count) {
  if (at % 8 != 0 || at > payload.size() || count > (payload.size() - at) / sizeof(T)) {
    throw DamagedCache("a part lies outside the file");
  }
  return {reinterpret_cast<const T*>(payload.data() + at), count};
}

class CachedDataset : public TokenDataset {
 public:
  /// Throws DamagedCache.
  explicit CachedDataset(const std::filesystem::path& path)
      : file_(open_file(path, O_RDONLY), path) {
    std::string_view bytes = file_.bytes();
    Preamble preamble;
    const Preamble expected;
    if (bytes.size() < sizeof preamble) throw DamagedCache("it is cut off");
    std::memcpy(&preamble, bytes.data(), sizeof preamble);
    bytes.remove_prefix(sizeof preamble);
    if (std::memcmp(preamble.magic, expected.magic, sizeof preamble.magic) != 0)
      throw DamagedCache("its first bytes");
    if (preamble.header_bytes > bytes.size()) throw DamagedCache("it is cut off");
    const std::string_view header_text = bytes.substr(0, preamble.header_bytes);
    if (crc32c(header_text) != preamble.header_crc) throw DamagedCache("the header's checksum");
    const std::string_view payload = bytes.substr(preamble.header_bytes);
    const Json header = Json::parse(header_text);
    if (payload.size() != header.at("bytes").get<size_t>()) throw DamagedCache("its size");
    if (sha256_hex(payload) != header.at("sha256").get<std::string>())
      throw DamagedCache("its checksum");
    const size_t vocabulary_bytes = header.at("vocabulary_bytes");
    vocabulary_ = Vocabulary::from_text(payload.substr(0, vocabulary_bytes), path.string());
    for (const Json& split : header.at("splits")) {
      const size_t sequences = split.at("sequences"), tokens = split.at("tokens");
      names_.push_back(split.at("name"));
      left_out_.push_back(split.at("left_out"));
      splits_.emplace_back(part<uint64_t>(payload, split.at("offsets_at"), sequences + 1),
                           part<int32_t>(payload, split.at("tokens_at"), tokens));
    }
  }

  const Vocabulary& vocabulary() const override { return vocabulary_; }
  std::vector<std::string> splits() const override {
    std::vector<std::string> names = names_;
    std::erase_if(names, [](const std::string& name) { return name.ends_with(kHintsEnding); });
    return names;
  }
  size_t whole_size(const std::string& split) const override {
    const size_t index = index_of(split);
    return splits_[index].size() + left_out_[index];
  }
  TokenSequences sequences(const std::string& split) const override {
    return splits_[index_of(split)];
  }

 private:
  size_t index_of(const std::string& split) const {
    for (size_t index = 0; index < names_.size(); ++index) {
      if (names_[index] == split) return index;
    }
    throw TrialError("unknown-split", fmt::format("the data set has no split '{}'; it has: {}",
                                                  split, joined(names_)));
  }

  MappedFile file_;
  Vocabulary vocabulary_;
  std::vector<std::string> names_;
  std::vector<TokenSequences> splits_;
  std::vector<size_t> left_out_;
};

template <typename T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// Parts of the payload in order, and the header with their positions.
struct Layout {
  std::vector<std::string_view> parts;
  Json header;
};

Layout payload_layout(const PreparedData& data, const std::string& vocabulary_text) {
  Layout layout{{vocabulary_text},
                {{"vocabulary_bytes", vocabulary_text.size()}, {"splits", Json::array()}}};
  size_t at = padded(vocabulary_text.size());
  const auto place = [&](std::string_view bytes) {
    layout.parts.push_back(bytes);
    const size_t begin = at;
    at += padded(bytes.size());
    return begin;
  };
  for (const PreparedSplit& split : data.splits) {
    const size_t offsets_at = place(bytes_of(split.offsets)),
                 tokens_at = place(bytes_of(split.tokens));
    layout.header["splits"].push_back({{"name", split.name},
                                       {"sequences", split.offsets.size() - 1},
                                       {"left_out", split.left_out},
                                       {"tokens", split.tokens.size()},
                                       {"offsets_at", offsets_at},
                                       {"tokens_at", tokens_at}});
  }
  layout.header["bytes"] = at;
  return layout;
}

/// Writes the file atomically. Durable.
void write_cache(const std::filesystem::path& path, const PreparedData& data) {
  const std::string vocabulary_text = data.vocabulary.to_text();
  Layout layout = payload_layout(data, vocabulary_text);
  const std::string zeros(8, '\0');
  Sha256 hash;
  for (const std::string_view bytes : layout.parts) {
    hash.add(bytes);
    hash.add(std::string_view(zeros).substr(0, padded(bytes.size()) - bytes.size()));
  }
  layout.header["sha256"] = hash.hex();
  std::string header = canonical_json(layout.header);
  header.resize(padded(header.size()), ' ');
  Preamble preamble;
  preamble.header_bytes = static_cast<uint32_t>(header.size());
  preamble.header_crc = crc32c(header);

  PendingFile pending(path);
  const FileDescriptor file = open_file(pending.temporary(), O_WRONLY | O_CREAT | O_TRUNC);
  write_all(file.get(), {reinterpret_cast<const char*>(&preamble), sizeof preamble},
            pending.temporary());
  write_all(file.get(), header, pending.temporary());
  for (const std::string_view bytes : layout.parts) {
    write_all(file.get(), bytes, pending.temporary());
    write_all(file.get(), std::string_view(zeros).substr(0, padded(bytes.size()) - bytes.size()),
              pending.temporary());
  }
  pending.finish();
  pending.rename_to_final();
  sync_folder(path.parent_path());
}

/// Returns null without a cache, or with a damaged cache.
std::shared_ptr<TokenDataset> try_open(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return nullptr;
  const auto rejected = [&](const std::exception& error) {
    fmt::print(stderr, "{}: damaged ({}); building it again\n", path.string(), error.what());
    return nullptr;
  };
  try {
    return std::make_shared<CachedDataset>(path);
  } catch (const DamagedCache& error) {
    return rejected(error);
  } catch (const Json::exception& error) {
    return rejected(error);
  } catch (const ConfigError& error) {  // its vocabulary
    return rejected(error);
  }
}

/// Returns no lock on a disk without locks. Several processes may then build the same cache, and
/// each publishes a complete file.
std::optional<FileLock> lock_if_possible(const FileDescriptor& file,
                                         const std::filesystem::path& path) {
  try {
    return FileLock::wait(file.get(), path);
  } catch (const MachineError&) {
    return std::nullopt;
  }
}

std::string cache_trouble(const MachineError& error) {
  return fmt::format(
      "{}; this is the cache of prepared data sets, not the store: XDG_CACHE_HOME can name another "
      "folder",
      error.what());
}

}  // namespace

std::shared_ptr<TokenDataset> open_token_cache(const std::filesystem::path& folder,
                                               const std::string& key,
                                               const std::function<PreparedData()>& build) {
  RETHINK_ASSERT(!folder.empty(), "no folder for token caches");
  const std::filesystem::path path = folder / (key + ".tokens");
  if (const auto dataset = try_open(path)) return dataset;
  make_folder_durably(folder);
  const std::filesystem::path lock_path = folder / (key + ".lock");
  const FileDescriptor lock_file = open_file(lock_path, O_RDWR | O_CREAT);
  const std::optional<FileLock> lock = lock_if_possible(lock_file, lock_path);
  // Another process may have built the cache during the wait.
  if (const auto dataset = try_open(path)) return dataset;
  const PreparedData data = build();
  try {
    write_cache(path, data);
  } catch (const DiskFullError& error) {
    throw DiskFullError("disk-full", cache_trouble(error));
  } catch (const DiskError& error) {
    throw DiskError("disk-error", cache_trouble(error));
  }
  return std::make_shared<CachedDataset>(path);
}

std::string token_cache_key(Json identity, const std::string& dataset,
                            const std::vector<std::filesystem::path>& files,
                            const DataFolders& folders) {
  identity["dataset"] = dataset;
  identity["text_format"] = kTextFormat;
  identity["build"] = dataset_build();
  identity["revision"] = datasets().schema(dataset).revision;
  identity["files"] = Json::array();
  for (const auto& file : files)
    identity["files"].push_back(remembered_sha256(file, folders.cache));
  return sha256_hex(canonical_json(identity));
}

}  // namespace rethink
