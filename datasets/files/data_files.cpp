#include "datasets/files/data_files.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "core/config/schema.h"
#include "core/files/file.h"
#include "core/files/hash.h"
#include "core/files/named_file.h"
#include "core/json.h"
#include "datasets/dataset.h"
#include "datasets/files/shared_library.h"

namespace rethink {
namespace {

/// libarchive's functions.
struct Archive {
  SharedLibrary library{"libarchive.so.13", "libarchive13"};
  decltype(archive_read_new)* read_new = library["archive_read_new"];
  decltype(archive_read_free)* read_free = library["archive_read_free"];
  decltype(archive_read_support_format_zip)* read_support_format_zip =
      library["archive_read_support_format_zip"];
  decltype(archive_read_support_format_tar)* read_support_format_tar =
      library["archive_read_support_format_tar"];
  decltype(archive_read_support_filter_gzip)* read_support_filter_gzip =
      library["archive_read_support_filter_gzip"];
  decltype(archive_read_open_filename)* read_open_filename = library["archive_read_open_filename"];
  decltype(archive_read_data)* read_data = library["archive_read_data"];
  decltype(archive_read_next_header)* read_next_header = library["archive_read_next_header"];
  decltype(archive_entry_pathname)* entry_pathname = library["archive_entry_pathname"];
  decltype(archive_entry_size)* entry_size = library["archive_entry_size"];
  decltype(archive_filter_count)* filter_count = library["archive_filter_count"];
  decltype(archive_filter_bytes)* filter_bytes = library["archive_filter_bytes"];
  decltype(archive_error_string)* error_string = library["archive_error_string"];
};

const Archive& libarchive() {
  static const Archive opened;
  return opened;
}

std::string error_text(archive* reader) {
  const char* const text = libarchive().error_string(reader);  // null for some damage
  return text ? text : "is damaged";
}

using ArchiveReader = std::unique_ptr<archive, int (*)(archive*)>;

ArchiveReader open_archive(const std::filesystem::path& path) {
  ArchiveReader reader(libarchive().read_new(), libarchive().read_free);
  libarchive().read_support_format_zip(reader.get());
  libarchive().read_support_format_tar(reader.get());
  libarchive().read_support_filter_gzip(reader.get());
  if (libarchive().read_open_filename(reader.get(), path.c_str(), 1 << 16) != ARCHIVE_OK) {
    throw MachineError("damaged-archive",
                       fmt::format("{}: {}", path.string(), error_text(reader.get())));
  }
  return reader;
}

/// Text packs to a third or a tenth of its size, a file of one repeated letter to a thousandth.
constexpr uint64_t kMostUnpacked = 50;
constexpr uint64_t kMostArchiveBytes = uint64_t{2} << 30;

/// An archive of a few bytes may hold a file of a few pages.
constexpr uint64_t kSmall = 16 << 20;

[[noreturn]] void refuse_size(const std::string& what, uint64_t most) {
  throw MachineError(
      "wrong-contents",
      fmt::format("{}: unpacks to more than {} bytes, the largest correct size; it is not the "
                  "published file, and nothing of it is used",
                  what, most));
}

/// The declared size of the current member of the archive; 0 if it declares none.
uint64_t declared_bytes(archive_entry* entry) {
  return static_cast<uint64_t>(std::max<la_int64_t>(0, libarchive().entry_size(entry)));
}

/// Refuses a member that would fill the disk, or is larger than it can be.
void check_declared(uint64_t declared, const std::string& member, uint64_t most,
                    const std::filesystem::path& folder) {
  if (declared > most) refuse_size(member, most);
  if (const uint64_t free = free_disk_bytes(folder); declared > free) {
    throw MachineError(
        "disk-full", fmt::format("{}: has {} bytes, and {} are free at {}; make room first", member,
                                 declared, free, folder.string()));
  }
}

/// In a packed tar, the data before a member must be unpacked to be skipped.
void check_left_out(archive* reader, archive_entry* entry, const std::string& path, uint64_t most) {
  // Without a filter, the entry is skipped without reading.
  if (libarchive().filter_count(reader) < 2) return;
  const auto so_far = static_cast<uint64_t>(libarchive().filter_bytes(reader, 0));
  if (so_far + declared_bytes(entry) > most) refuse_size(path, most);
}

/// Unpacks the current member of the archive to its path.
void unpack_member(archive* reader, const std::string& member, const SourceFile& wanted,
                   const std::filesystem::path& target, uint64_t most) {
  make_folder_durably(target.parent_path());
  PendingFile pending(target);
  const FileDescriptor file = open_file(pending.temporary(), O_WRONLY | O_CREAT | O_TRUNC);
  Sha256 hash;
  std::vector<char> buffer(1 << 18);
  for (uint64_t bytes = 0;;) {
    const la_ssize_t count = libarchive().read_data(reader, buffer.data(), buffer.size());
    if (count < 0)
      throw MachineError("damaged-archive", fmt::format("{}: {}", member, error_text(reader)));
    if (count == 0) break;
    if ((bytes += static_cast<uint64_t>(count)) > most) refuse_size(member, most);
    const std::string_view part(buffer.data(), static_cast<size_t>(count));
    write_all(file.get(), part, pending.temporary());
    hash.add(part);
  }
  pending.finish();
  if (const std::string got = hash.hex(); !wanted.sha256.empty() && got != wanted.sha256) {
    const std::filesystem::path rejected = target.string() + ".rejected";
    std::filesystem::copy_file(pending.temporary(), rejected,
                               std::filesystem::copy_options::overwrite_existing);
    throw MachineError(
        "wrong-contents",
        fmt::format("{}: got SHA-256 {}, expected {}; the bytes are kept in {} and not used",
                    wanted.file, got, wanted.sha256, rejected.string()));
  }
  if (std::filesystem::exists(target)) std::filesystem::rename(target, target.string() + ".old");
  pending.rename_to_final();
  sync_folder(target.parent_path());
}

FileState state_of(const std::filesystem::path& path, const std::string& pinned) {
  if (!std::filesystem::exists(path)) return FileState::missing;
  if (is_git_pointer(path)) return FileState::pointer;
  if (pinned.empty()) return FileState::unpinned;
  return sha256_file(path) == pinned ? FileState::whole : FileState::other;
}

/// Files by split in the usual order: train, dev, test, then others.
std::vector<std::string> files_of_splits(const SplitFiles& files) {
  std::vector<std::string> splits = {"train", "dev", "test"}, names;
  for (const auto& [split, list] : files) {
    if (std::find(splits.begin(), splits.end(), split) == splits.end()) splits.push_back(split);
  }
  for (const std::string& split : splits) {
    if (const auto found = files.find(split); found != files.end())
      names.insert(names.end(), found->second.begin(), found->second.end());
  }
  return names;
}

}  // namespace

void unpack_source(const std::filesystem::path& path, const DataSource& source,
                   const std::filesystem::path& folder) {
  std::map<std::string, SourceFile> wanted;
  for (const SourceFile& file : source.files) wanted[file.member] = file;
  const ArchiveReader reader = open_archive(path);
  const uint64_t most = std::max(kSmall, kMostUnpacked * std::filesystem::file_size(path));
  archive_entry* entry = nullptr;
  int code = ARCHIVE_OK;
  while (!wanted.empty() &&
         (code = libarchive().read_next_header(reader.get(), &entry)) == ARCHIVE_OK) {
    check_left_out(reader.get(), entry, path.string(), most);
    const char* const name = libarchive().entry_pathname(entry);  // null if the name is not text
    const auto found = wanted.find(name ? name : "");
    if (found == wanted.end()) continue;
    const SourceFile& file = found->second;
    const uint64_t most_of_it = file.bytes > 0 ? static_cast<uint64_t>(file.bytes) : most;
    const std::string member = fmt::format("{}: {}", path.string(), file.file);
    check_declared(declared_bytes(entry), member, most_of_it, folder);
    unpack_member(reader.get(), member, file, folder / file.file, most_of_it);
    wanted.erase(found);
  }
  if (code != ARCHIVE_OK && code != ARCHIVE_EOF) {
    throw MachineError("damaged-archive",
                       fmt::format("{}: {}", path.string(), error_text(reader.get())));
  }
  if (!wanted.empty())
    throw MachineError("wrong-contents",
                       fmt::format("{}: no member '{}'", path.string(), wanted.begin()->first));
}

std::vector<FileStatus> data_file_status(const std::string& dataset,
                                         const std::filesystem::path& folder) {
  std::map<std::string, std::string> pins;
  const DatasetFacts& facts = datasets().facts(dataset);
  for (const DataSource& source : facts.sources) {
    for (const SourceFile& file : source.files) pins[file.file] = file.sha256;
  }
  for (const auto& [file, sha256] : facts.installed) pins[file] = sha256;
  std::vector<FileStatus> statuses;
  std::set<std::string> seen;
  const auto add = [&](const std::string& file, bool on_request) {
    if (!seen.insert(file).second) return;
    const std::filesystem::path path = folder / file;
    const bool has_place = path.is_absolute() || !folder.empty();
    statuses.push_back(
        {file, path, has_place ? state_of(path, pins[file]) : FileState::missing, on_request});
  };
  for (const std::string& file : files_of_splits(facts.files)) add(file, false);
  for (const auto& [option, more] : facts.files_if) {
    for (const std::string& file : files_of_splits(more)) add(file, true);
  }
  for (const DataSource& source : facts.sources) {
    for (const SourceFile& file : source.files) add(file.file, false);
  }
  return statuses;
}

void get_source(const DataSource& source, const std::filesystem::path& folder,
                const DownloadOptions& given) {
  const std::filesystem::path archive =
      folder / "downloads" /
      std::filesystem::path(source.url.substr(0, source.url.find('?'))).filename();
  DownloadOptions options = given;
  options.most_bytes = source.bytes > 0 ? static_cast<uint64_t>(source.bytes) : kMostArchiveBytes;
  download(source.url, archive, source.sha256, options);
  const bool is_plain = source.files.size() == 1 && source.files[0].member.empty();
  if (!is_plain) {
    unpack_source(archive, source, folder);
    std::filesystem::remove(archive);
    return;
  }
  const std::filesystem::path target = folder / source.files[0].file;
  make_folder_durably(target.parent_path());
  if (std::filesystem::exists(target)) std::filesystem::rename(target, target.string() + ".old");
  std::filesystem::rename(archive, target);
  sync_folder(target.parent_path());
}

}  // namespace rethink
