#include "experiments/plan/expand/code_snapshot.h"

#include <fmt/format.h>
#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <set>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/named_file.h"
#include "core/message.h"
#include "core/store_files/store_folder.h"
#include "core/store_files/trial_folder.h"
#include "core/system/process.h"
#include "core/text.h"
#include "experiments/attempt/command/secrets.h"

namespace rethink {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFiles = 5'000, kShownFiles = 10;
constexpr uintmax_t kMostBytes = 50'000'000;
constexpr fs::perms kWriters =
    fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;

const std::vector<std::string> kCode = {"**/*.py",
                                        "**/*.c",
                                        "**/*.cc",
                                        "**/*.cpp",
                                        "**/*.h",
                                        "**/*.hpp",
                                        "**/*.cu",
                                        "**/*.cuh",
                                        "**/*.jl",
                                        "**/*.R",
                                        "**/*.sh",
                                        "**/*.lock",
                                        "**/requirements*.txt",
                                        "**/pyproject.toml"};
const std::vector<std::string> kSecret = {"**/.env", "**/*.pem", "**/id_*", "**/.netrc"};

bool matches_any(const std::string& path, const std::vector<std::string>& patterns) {
  return std::ranges::any_of(
      patterns, [&](const std::string& pattern) { return matches_pattern(path, pattern); });
}

/// The files that Git lists, without ignored files. Without a repository there are no files, only
/// Git's message.
struct FilesOfGit {
  std::optional<std::set<std::string>> files;
  std::string refusal;
};

FilesOfGit files_of_git(const fs::path& folder);

/// Git lists a link to a folder as one name. The files in the folder get names through the link, as
/// the program uses them. A link to a target outside of `folder` stays as it is.
void add_files_of_linked_folders(const fs::path& folder, std::set<std::string>& files) {
  std::set<std::string> behind;
  for (const std::string& link : files) {
    std::error_code gone;
    if (!fs::is_directory(folder / link, gone) || !lies_below(folder / link, folder)) continue;
    const std::string target =
        fs::canonical(folder / link).lexically_relative(fs::canonical(folder)).string() + "/";
    for (auto file = files.lower_bound(target); file != files.end() && file->starts_with(target);
         ++file)
      behind.insert(link + "/" + file->substr(target.size()));
  }
  files.merge(behind);
}

/// A folder in Git's list is a repository itself, perhaps a submodule. Its files get paths relative
/// to the outer repository.
void add_files_of_submodule(const fs::path& folder, const std::string& name,
                            std::set<std::string>& files) {
  if (!fs::exists(folder / name / ".git")) return;  // a submodule that was not fetched
  const FilesOfGit inner = files_of_git(folder / name);
  if (!inner.files) return;
  for (const std::string& file : *inner.files) files.insert((fs::path(name) / file).string());
}

FilesOfGit files_of_git(const fs::path& folder) {
  try {
    const ProgramResult listed = run_program(
        {.words = {"git", "ls-files", "-co", "--exclude-standard", "-z"}, .folder = folder});
    if (listed.status != 0) return {std::nullopt, one_line(listed.error)};
    std::set<std::string> files;
    for (size_t begin = 0; begin < listed.output.size();) {
      const size_t end = listed.output.find('\0', begin);
      const std::string name = listed.output.substr(begin, end - begin);
      const fs::file_status found = fs::symlink_status(folder / name);
      if (fs::is_directory(found)) {
        add_files_of_submodule(folder, name, files);
      } else {
        files.insert(name);
      }
      begin = end + 1;
    }
    add_files_of_linked_folders(folder, files);
    return {files, ""};
  } catch (const MachineError& error) {
    return {std::nullopt, error.what()};
  }
}

/// Whether a file below `folder` is in a store, whose code and working folders are not source code;
/// `known` remembers folders.
bool lies_in_store(const fs::path& folder, const fs::path& name, std::map<fs::path, bool>& known) {
  for (fs::path above = name.parent_path(); above.has_relative_path();
       above = above.parent_path()) {
    const auto [place, is_new] = known.try_emplace(above, false);
    if (is_new) place->second = is_store_folder(folder / above);
    if (place->second) return true;
  }
  return false;
}

std::set<std::string> files_below(const fs::path& folder,
                                  fs::directory_options links = fs::directory_options::none) {
  std::set<std::string> files;
  constexpr auto kReadable = fs::directory_options::skip_permission_denied;
  for (auto entry = fs::recursive_directory_iterator(folder, kReadable | links);
       entry != fs::recursive_directory_iterator(); ++entry) {
    if (entry->is_directory() && is_store_folder(entry->path())) entry.disable_recursion_pending();
    if (entry->is_regular_file()) files.insert(entry->path().lexically_relative(folder));
    if (files.size() > 20 * kMostFiles)
      throw ConfigError(
          "too-many",
          fmt::format("{} has too many files to look through; put the code in a folder of its own, "
                      "or under Git",
                      folder.string()));
  }
  return files;
}

/// Refuses a link to a folder elsewhere that contains code, since no copy would have that code. A
/// folder without code counts as data.
void refuse_code_behind_link(const fs::path& folder, const std::string& link,
                             const std::vector<std::string>& patterns) {
  std::error_code gone;
  const bool is_inside =
      lies_below(folder / link, folder) || fs::equivalent(folder / link, folder, gone);
  if (is_inside) return;  // its files are listed already
  for (const auto& entry : fs::directory_iterator(folder / link, gone)) {
    const std::string name = link + "/" + entry.path().filename().string();
    if (!entry.is_regular_file(gone) || !matches_any(name, patterns)) continue;
    throw ConfigError(
        "link-leads-out",
        fmt::format("code: {} is a link that leads out of {}, and `code` includes {}: replace the "
                    "link by the folder, or list only the program's files in `code`",
                    link, folder.string(), name));
  }
}

bool has_wildcard(const std::string& pattern) {
  return pattern.find_first_of("*?[") != std::string::npos;
}

/// The files from which the patterns choose.
std::set<std::string> candidates(const fs::path& folder, const std::vector<std::string>& patterns,
                                 const FilesOfGit& of_git) {
  if (of_git.files) return *of_git.files;
  if (patterns.empty())
    throw ConfigError("code-files-unknown",
                      fmt::format("code: Git cannot list the program's files below {}: {}; name "
                                  "them, such as code: [train.py, \"src/**/*.py\"], or name this "
                                  "sweep's file if the program has no files there",
                                  folder.string(), of_git.refusal));
  if (std::ranges::none_of(patterns, has_wildcard)) return {patterns.begin(), patterns.end()};
  return files_below(folder);
}

/// "*.py", "src/**/*.py", "Makefile": a pattern for files like this one.
std::string pattern_like(const std::string& name) {
  const fs::path path(name);
  const std::string last =
      path.has_extension() ? "*" + path.extension().string() : path.filename().string();
  return path.has_parent_path() ? path.begin()->string() + "/**/" + last : last;
}

/// A line for `code` that selects few enough of `files`: a pattern for each folder and ending,
/// without the patterns of the most files or bytes.
std::string smaller_code_line(const std::vector<std::pair<uintmax_t, std::string>>& files) {
  struct Share {
    uintmax_t bytes = 0;
    size_t count = 0;
    double of_limit() const {
      return std::max(static_cast<double>(bytes) / static_cast<double>(kMostBytes),
                      static_cast<double>(count) / static_cast<double>(kMostFiles));
    }
  };
  constexpr size_t kMostPatterns = 12;
  std::map<std::string, Share> shares;
  Share all;
  for (const auto& [bytes, name] : files) {
    for (Share* share : {&shares[pattern_like(name)], &all}) {
      share->bytes += bytes;
      ++share->count;
    }
  }
  while (shares.size() > 1 && all.of_limit() > 1) {
    const auto largest = std::ranges::max_element(
        shares, {}, [](const auto& share) { return share.second.of_limit(); });
    all.bytes -= largest->second.bytes;
    all.count -= largest->second.count;
    shares.erase(largest);
  }
  if (all.of_limit() > 1 || shares.size() > kMostPatterns) return "code: [\"src/**/*.py\"]";
  std::vector<std::string> patterns;
  for (const auto& [pattern, share] : shares) patterns.push_back("\"" + pattern + "\"");
  return "code: [" + joined(patterns) + "]";
}

void refuse_large(const std::map<std::string, fs::path>& files) {
  std::vector<std::pair<uintmax_t, std::string>> sizes;
  uintmax_t bytes = 0;
  for (const auto& [name, file] : files) {
    sizes.emplace_back(fs::file_size(file), name);
    bytes += sizes.back().first;
  }
  if (files.size() <= kMostFiles && bytes <= kMostBytes) return;
  std::ranges::sort(sizes, std::ranges::greater());
  std::vector<std::string> largest;
  for (size_t i = 0; i < std::min(kShownFiles, sizes.size()); ++i)
    largest.push_back(fmt::format("{} ({} kB)", sizes[i].second, sizes[i].first / 1000));
  throw ConfigError("too-large",
                    fmt::format("the code has {} files of {} MB, expected at most {} of {} MB; "
                                "leave out files that are not code, such as {}; the largest: {}",
                                files.size(), bytes / 1'000'000, kMostFiles, kMostBytes / 1'000'000,
                                smaller_code_line(sizes), joined(largest)));
}

}  // namespace

bool matches_pattern(const std::string& path, const std::string& pattern) {
  if (!pattern.starts_with("**/")) {
    const size_t slash = path.find('/'), of_pattern = pattern.find('/');
    if ((slash == std::string::npos) != (of_pattern == std::string::npos)) return false;
    const bool fits =
        fnmatch(pattern.substr(0, of_pattern).c_str(), path.substr(0, slash).c_str(), 0) == 0;
    if (slash == std::string::npos || !fits) return fits;
    return matches_pattern(path.substr(slash + 1), pattern.substr(of_pattern + 1));
  }
  const std::string rest = pattern.substr(3);
  for (std::string below = path;; below = below.substr(below.find('/') + 1)) {
    if (matches_pattern(below, rest)) return true;
    if (below.find('/') == std::string::npos) return false;
  }
}

CodeSnapshot code_snapshot(const fs::path& folder, const std::vector<std::string>& patterns,
                           const FileHash& hash_of) {
  for (const std::string& pattern : patterns) {
    if (fs::path(pattern).is_absolute() || std::ranges::count(fs::path(pattern), "..") > 0)
      throw ConfigError(
          "link-leads-out",
          fmt::format("code: '{}' leads out of {}: paths in `code` start in the sweep's folder",
                      pattern, folder.string()));
  }
  const FilesOfGit of_git = files_of_git(folder);
  CodeSnapshot code;
  code.folder = folder;
  std::map<fs::path, bool> stores;
  const std::vector<std::string>& wanted = patterns.empty() ? kCode : patterns;
  for (const std::string& name : candidates(folder, patterns, of_git)) {
    const fs::path file = folder / name;
    if (fs::is_symlink(file) && fs::is_directory(file)) {
      refuse_code_behind_link(folder, name, wanted);
      continue;
    }
    if (!matches_any(name, wanted)) continue;
    // Git's index may list deleted files.
    if (!is_file_there(file) || lies_in_store(folder, name, stores)) continue;
    if (matches_any(name, kSecret) && !std::ranges::count(patterns, name)) {
      throw ConfigError(
          "secret-in-code",
          fmt::format(
              "code: {} may hold secrets: leave it out, or name it in `code` by its own name",
              name));
    }
    if (!lies_below(file, folder))
      throw ConfigError("link-leads-out", fmt::format("code: {} is a link that leads out of {}",
                                                      name, folder.string()));
    refuse_git_pointer(file);
    code.files[name] = file;
  }
  for (const std::string& pattern : patterns) {
    const bool any = std::ranges::any_of(
        code.files, [&](const auto& file) { return matches_pattern(file.first, pattern); });
    if (!any)
      throw ConfigError(
          "unknown-name",
          fmt::format("code: no file below {} matches '{}'{}", folder.string(), pattern,
                      of_git.files ? " among those that Git does not ignore" : ""));
  }
  refuse_large(code.files);
  code.sha256 = sha256_of_files(code.files, hash_of);
  return code;
}

fs::path checkout_of(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  for (fs::path above = whole; above.has_relative_path(); above = above.parent_path()) {
    if (fs::exists(above / ".git")) return above;
  }
  return whole;
}

fs::path code_folder(const fs::path& store, const std::string& sha256) {
  return store / kCodeFolder / sha256;
}

namespace {

/// "commit 4b825dc...", then the files' changes since the commit; empty if Git gives no commit.
std::string commit_and_changes(const CodeSnapshot& code) {
  constexpr size_t kMostDiff = 1'000'000;
  const auto git = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "git");
    return run_program({.words = std::move(words), .folder = code.folder});
  };
  try {
    const ProgramResult commit = git({"rev-parse", "--verify", "HEAD"});
    if (commit.status != 0) return "";
    // Without names Git would list all files of the folder, including files that code must not
    // have.
    if (code.files.empty()) return "commit " + commit.output;
    std::vector<std::string> words = {
        "diff", "--no-ext-diff", "--no-textconv", "--no-color", "--relative", "HEAD", "--"};
    for (const auto& [name, file] : code.files) words.push_back(name);
    const ProgramResult diff = git(std::move(words));
    const SecretFilter secrets(
        secret_values({code.hidden_variables.begin(), code.hidden_variables.end()}));
    return "commit " + commit.output + secrets.hidden(diff.output).substr(0, kMostDiff);
  } catch (const MachineError&) {  // git is not installed
    return "";
  }
}

/// Whether the snapshot has the same files at or below both paths.
bool has_same_files(const std::map<std::string, fs::path>& files, const std::string& one,
                    const std::string& other) {
  if (files.contains(one)) return files.contains(other);
  const auto names_below = [&](const std::string& folder) {
    std::vector<std::string> names;
    for (auto at = files.lower_bound(folder); at != files.end() && at->first.starts_with(folder);
         ++at)
      names.push_back(at->first.substr(folder.size()));
    return names;
  };
  return names_below(one + "/") == names_below(other + "/");
}

/// Whether the file is one of the links, or lies behind one.
bool is_behind(const std::map<std::string, fs::path>& links, const std::string& name) {
  for (size_t end = name.find('/');; end = name.find('/', end + 1)) {
    if (links.contains(name.substr(0, end))) return true;
    if (end == std::string::npos) return false;
  }
}

/// Links that stay links in the copy, with their targets from there: the snapshot has the files
/// behind them under their own names, too. A program may resolve the links to its own file.
std::map<std::string, fs::path> kept_links(const CodeSnapshot& code) {
  std::map<std::string, fs::path> links;
  for (const auto& [name, file] : code.files) {
    for (size_t end = name.find('/');; end = name.find('/', end + 1)) {
      const std::string path = name.substr(0, end);
      if (links.contains(path)) break;
      if (fs::is_symlink(code.folder / path)) {
        const fs::path target =
            fs::canonical(code.folder / path).lexically_relative(fs::canonical(code.folder));
        if (has_same_files(code.files, path, target.string())) {
          links[path] = target.lexically_relative(fs::path(path).parent_path());
          break;
        }
      }
      if (end == std::string::npos) break;
    }
  }
  return links;
}

}  // namespace

void keep_code(const CodeSnapshot& code, const fs::path& store) {
  const fs::path folder = code_folder(store, code.sha256);
  if (code.sha256.empty() || fs::is_directory(folder)) return;
  const fs::path pending = folder.parent_path() / fmt::format(".{}.{}.tmp", code.sha256, getpid());
  std::error_code ignored;
  fs::remove_all(pending, ignored);
  fs::create_directories(pending);
  const std::map<std::string, fs::path> links = kept_links(code);
  for (const auto& [link, target] : links) {
    fs::create_directories((pending / link).parent_path());
    fs::create_symlink(target, pending / link);
  }
  for (const auto& [name, file] : code.files) {
    if (is_behind(links, name)) continue;
    fs::create_directories((pending / name).parent_path());
    fs::copy_file(file, pending / name);
    // Trials run copies. An edit of a copy would change code that was already run.
    fs::permissions(pending / name, kWriters, fs::perm_options::remove);
  }
  if (sha256_of_tree(pending) != code.sha256) {
    fs::remove_all(pending, ignored);
    throw ConfigError("file-changed",
                      "the code changed while the run was prepared; run the command again");
  }
  if (const std::string text = commit_and_changes(code); !text.empty())
    write_file_atomically(folder.string() + ".diff", text);
  sync_disk(pending);
  fs::rename(pending, folder);
  sync_folder(folder.parent_path());
}

std::string changes_of_code(const CodeSnapshot& code, const fs::path& kept) {
  if (!fs::is_directory(kept)) return "";
  constexpr size_t kShown = 3;
  std::vector<std::string> changed, added, removed;
  for (const auto& [name, file] : code.files) {
    if (!is_file_there(kept / name)) {
      added.push_back(name);
    } else if (sha256_of_files({{name, file}}) != sha256_of_files({{name, kept / name}})) {
      changed.push_back(name);
    }
  }
  constexpr auto kAlsoBehindLinks = fs::directory_options::follow_directory_symlink;
  for (const std::string& name : files_below(kept, kAlsoBehindLinks)) {
    if (!code.files.contains(name)) removed.push_back(name);
  }
  std::vector<std::string> texts;
  if (!changed.empty()) texts.push_back(first_names(changed, kShown) + " changed");
  if (!added.empty()) texts.push_back("new: " + first_names(added, kShown));
  if (!removed.empty()) texts.push_back("removed: " + first_names(removed, kShown));
  return joined(texts);
}

}  // namespace rethink
