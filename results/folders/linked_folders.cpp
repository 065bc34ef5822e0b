#include "results/folders/linked_folders.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/store_file.h"
#include "core/message.h"
#include "core/store_files/store_folder.h"
#include "core/store_files/trial_folder.h"
#include "results/database/database_place.h"

namespace rethink {
namespace {

constexpr std::array kMayBeLinked = {kTrialsFolder, "sweeps", "piped"};
constexpr const char* kOwnerMark = ".store";  // in a linked folder: proof and path of its store

struct LinkedFolder {
  std::filesystem::path link, target;
};

/// Links without a target are left out.
std::vector<LinkedFolder> linked_folders(const std::filesystem::path& store) {
  std::vector<LinkedFolder> found;
  for (const char* name : kMayBeLinked) {
    const std::filesystem::path link = store / name;
    std::error_code missing;
    if (!std::filesystem::is_symlink(link, missing)) continue;
    const std::filesystem::path target = std::filesystem::canonical(link, missing);
    if (!missing && std::filesystem::is_directory(target, missing)) found.push_back({link, target});
  }
  return found;
}

/// Time of creation [ns since 1970]; nothing if the disk does not record this time.
std::optional<int64_t> made_at_ns(const std::filesystem::path& folder) {
  struct statx seen {};
  if (statx(AT_FDCWD, folder.c_str(), 0, STATX_BTIME, &seen) != 0 || !(seen.stx_mask & STATX_BTIME))
    return std::nullopt;
  return int64_t{seen.stx_btime.tv_sec} * 1'000'000'000 + seen.stx_btime.tv_nsec;
}

bool is_made_after(const std::filesystem::path& folder, const std::filesystem::path& store) {
  const auto of_folder = made_at_ns(folder), of_store = made_at_ns(store);
  return of_folder && of_store && *of_folder >= *of_store;
}

constexpr const char* kOtherStore =
    "a command here would change or remove files of that store: put a copy of the folder in the "
    "link's place";

/// The store whose folder contains `target`, if this is not `store`; else empty.
std::filesystem::path store_around(const std::filesystem::path& target,
                                   const std::filesystem::path& store) {
  const std::filesystem::path parent = target.parent_path();
  // Not is_store_folder: a database and trials that were moved to a disk, with links in their place, make no store of it.
  const bool is_other =
      std::filesystem::exists(parent / kUuidFile) && !std::filesystem::equivalent(parent, store);
  return is_other ? parent : "";
}

/// Why the mark of `target` does not prove that the folder is of `store`; "" if it does.
std::string ownership_doubt(const std::filesystem::path& target,
                            const std::filesystem::path& store) {
  const std::filesystem::path mark = target / kOwnerMark;
  if (!std::filesystem::exists(mark)) {
    if (is_made_after(target, store)) return "";
    return "which may belong to another store (nothing shows that the folder was made after this "
           "store, which may be a copy)";
  }
  std::string path = read_file(mark);
  const size_t end = path.find('\n');
  if (path.empty() || path.substr(0, end) == proof_of_store(store)) return "";
  path = end == path.npos ? "" : path.substr(end + 1);
  while (path.ends_with('\n')) path.pop_back();
  return "which belongs to a store that was at " + (path.empty() ? "another path" : path);
}

std::string problem_of_link(const std::filesystem::path& store, const LinkedFolder& folder) {
  const std::filesystem::path mark = folder.target / kOwnerMark;
  const std::string problem = store_file_problem(mark);
  if (!problem.empty()) return problem;
  const std::string is_link =
      fmt::format("{}: is a link to {}", folder.link.string(), folder.target.string());
  const std::string link = for_a_shell(folder.link.string());
  const std::string copy =
      fmt::format("(`rm {} && cp -r {} {}`)", link, for_a_shell(folder.target.string()), link);
  if (const auto other = store_around(folder.target, store); !other.empty())
    return fmt::format("{}, a part of the store {}; {} {}", is_link, other.string(), kOtherStore,
                       copy);
  const std::string doubt = ownership_doubt(folder.target, store);
  if (doubt.empty()) return "";
  return fmt::format(
      "{}, {}; {} {}, or, if no other store uses the folder, give `: > {}`; then the same command "
      "again",
      is_link, doubt, kOtherStore, copy, for_a_shell(mark.string()));
}

/// Returns a message on the first of kMayBeLinked that is a pipe, a file, ... or a link to one:
/// "PATH: is ..., expected a folder; ...".
std::string other_kind_of_file(const std::filesystem::path& store) {
  for (const char* name : kMayBeLinked) {
    const std::string problem = store_folder_problem(store / name);
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace

std::string link_to_another_store(const std::filesystem::path& store) {
  if (const std::string problem = other_kind_of_file(store); !problem.empty()) return problem;
  for (const LinkedFolder& folder : linked_folders(store)) {
    const std::string problem = problem_of_link(store, folder);
    if (!problem.empty()) return problem;
  }
  return "";
}

void claim_linked_folders(const std::filesystem::path& store) {
  if (const std::string problem = other_kind_of_file(store); !problem.empty())
    throw MachineError("linked-file", problem);
  const std::vector<LinkedFolder> folders = linked_folders(store);
  if (folders.empty()) return;
  give_uuid(store);
  if (const std::string problem = link_to_another_store(store); !problem.empty())
    throw MachineError("linked-file", problem);
  const std::string text =
      fmt::format("{}\n{}\n", proof_of_store(store), whole_path(store).string());
  for (const LinkedFolder& folder : folders) {
    const std::filesystem::path mark = folder.target / kOwnerMark;
    if (!std::filesystem::exists(mark) || std::filesystem::is_empty(mark))
      write_file_durably(mark, text);
  }
}

std::string linked_cache(const std::filesystem::path& store) {
  const std::filesystem::path cache = store / "cache";
  std::error_code none;
  if (!std::filesystem::is_symlink(cache, none) || !std::filesystem::is_directory(cache, none))
    return "";
  return fmt::format("{}: is a link to {}; a copy of the store shares this cache", cache.string(),
                     std::filesystem::read_symlink(cache, none).string());
}

std::vector<std::string> links_below_piped(const std::filesystem::path& store) {
  std::vector<std::string> links;
  std::error_code unreadable;
  const auto permitted = std::filesystem::directory_options::skip_permission_denied;
  for (std::filesystem::recursive_directory_iterator at(store / "piped", permitted, unreadable),
       end;
       !unreadable && at != end; at.increment(unreadable)) {
    std::error_code none;
    if (!at->is_symlink(none) || at->is_regular_file(none)) continue;
    links.push_back(fmt::format(
        "{}: is a link to {}, and rethink follows no link below piped/; replace it by the "
        "folder that it names, or remove it",
        at->path().string(), std::filesystem::read_symlink(at->path(), none).string()));
  }
  std::ranges::sort(links);
  return links;
}

void require_own_piped(const std::filesystem::path& store) {
  if (const std::string problem = link_to_another_store(store); !problem.empty())
    throw MachineError("linked-file", problem);
  if (const auto links = links_below_piped(store); !links.empty())
    throw MachineError("linked-file", links[0]);
}

}  // namespace rethink
