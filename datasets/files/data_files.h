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
  other,     // exists, but differs from the published file: a sample, or damaged
  pointer,   // a pointer of Git LFS or git-annex
  unpinned,  // exists; its hash is unknown
};

struct FileStatus {
  std::string file;            // as the data set names it
  std::filesystem::path path;  // where it is or would be
  FileState state;
  bool on_request = false;  // read only if an option requests it
};

/// Returns every file of a data set: required and optional files, and other files of its sources.
/// Throws ConfigError for an unknown data set. Cost: hashes the files.
std::vector<FileStatus> data_file_status(const std::string& dataset,
                                         const std::filesystem::path& folder);

/// Downloads an archive or a file, checks it, and publishes the wanted files below `folder`, each
/// only if its own hash matches too. An existing file is kept as FILE.old. Throws MachineError,
/// also for too many bytes: more than "bytes", else more than 2 GiB for a download, or 50 times the
/// archive's size when unpacked. Durable: the files.
void get_source(const DataSource& source, const std::filesystem::path& folder,
                const DownloadOptions& given);

/// Does what get_source does with an existing archive: zip or tar, plain or compressed by gzip.
/// Throws MachineError as get_source, and for something that is not an archive or lacks a wanted
/// member.
void unpack_source(const std::filesystem::path& path, const DataSource& source,
                   const std::filesystem::path& folder);

}  // namespace rethink
