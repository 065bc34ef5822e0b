// The files of datasets: which are needed, missing or damaged, and where they come from, by the
// facts that each dataset declares.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/facts/dataset_facts.h"
#include "datasets/files/download.h"

namespace rethink {

enum class FileState {
  missing,
  whole,     // as published, by its hash
  other,     // there, but not what is published: a sample, or damaged
  pointer,   // of Git LFS or git-annex, in the file's place
  unpinned,  // there; nobody knows its hash
};

struct FileStatus {
  std::string file;            // as the data set names it
  std::filesystem::path path;  // where it is or would be
  FileState state;
  bool on_request = false;  // read only where an option asks for it
};

/// Every file of a data set: its own, those on request, and what else its sources bring. Throws
/// ConfigError when there is no such data set. Cost: hashes the files.
std::vector<FileStatus> data_file_status(const std::string& dataset,
                                         const std::filesystem::path& folder);

/// Downloads an archive or a file, checks it, and publishes what is wanted of it below `folder`,
/// each only when its own hash fits too. A file that stood there before is kept as FILE.old. Throws
/// MachineError, also for more bytes than there can be: those of "bytes", else 2 GiB for a download
/// and, for what is unpacked, 50 times the archive's size. Durable: the files.
void get_source(const DataSource& source, const std::filesystem::path& folder,
                const DownloadOptions& given);

/// What get_source does with an archive that is there: zip or tar, plain or packed by gzip. Throws MachineError, as
/// get_source, and where it is no archive or lacks a wanted member.
void unpack_source(const std::filesystem::path& path, const DataSource& source,
                   const std::filesystem::path& folder);

}  // namespace rethink
