#include "experiments/attempt/command/missing_code.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <vector>

#include "core/files/file.h"
#include "core/store_files/store_folder.h"

namespace rethink {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFolders = 5'000;

struct MissingName {
  std::string name;  // "utils.py", "data/train.csv"; empty: none
  bool is_module = false;
};

/// The module or file that is missing according to an error of Python, a shell, R or Julia.
MissingName missing_name_in(const std::string& error) {
  static const RE2 module(R"(No module named '?([\w.]+))");
  static const RE2 quoted(
      R"((?:No such file or directory|can(?:'t|not) open file|opening file):? ["']([^"']+)["'])");
  static const RE2 plain(R"((?:^|\s)([^\s:'"]+): No such file)");
  MissingName missing;
  missing.is_module = RE2::PartialMatch(error, module, &missing.name);
  if (!missing.is_module && !RE2::PartialMatch(error, quoted, &missing.name))
    RE2::PartialMatch(error, plain, &missing.name);
  return missing;
}

/// The folder from which `snapshot` was copied: the folder at or below `checkout` that has the same
/// file at the same place. Empty: not found.
fs::path folder_of_snapshot(const fs::path& snapshot, const fs::path& checkout) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::recursive_directory_iterator entry(snapshot, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    if (entry->is_regular_file(failed)) files.push_back(entry->path().lexically_relative(snapshot));
  }
  if (files.empty()) return {};
  const fs::path own = *std::ranges::min_element(files);
  const auto has_it = [&](const fs::path& folder) {
    std::error_code ignored;
    return fs::is_regular_file(folder / own, ignored) &&
           fs::file_size(folder / own, ignored) == fs::file_size(snapshot / own, ignored) &&
           read_file(folder / own) == read_file(snapshot / own);
  };
  if (has_it(checkout)) return checkout;
  size_t seen = 0;
  for (fs::recursive_directory_iterator
           entry(checkout, fs::directory_options::skip_permission_denied, failed),
       end;
       !failed && entry != end && seen < kMostFolders; entry.increment(failed), ++seen) {
    std::error_code ignored;
    if (!entry->is_directory(ignored)) continue;
    const std::string name = entry->path().filename();
    if (name.starts_with('.') || is_store_folder(entry->path())) {
      entry.disable_recursion_pending();
    } else if (has_it(entry->path())) {
      return entry->path();
    }
  }
  return {};
}

}  // namespace

std::string advice_on_missing_code(const std::string& error, const fs::path& copy,
                                   const fs::path& snapshot, const fs::path& checkout) {
  if (checkout.empty() || snapshot.empty()) return "";
  const MissingName missing = missing_name_in(error);
  if (missing.name.empty()) return "";
  std::string name = missing.name;
  if (missing.is_module) std::ranges::replace(name, '.', '/');
  fs::path own = fs::path(name).lexically_normal();
  if (own.is_absolute()) own = own.lexically_relative(copy);
  if (own.empty() || own == "." || *own.begin() == "..") return "";
  const fs::path folder = folder_of_snapshot(snapshot, checkout);
  if (folder.empty()) return "";
  std::vector<fs::path> candidates = {own};
  if (missing.is_module) {
    const std::string package = *own.begin();
    candidates = {own.string() + ".py", package + ".py", own, package};
  }
  std::error_code ignored;
  for (const fs::path& found : candidates) {
    if (fs::exists(copy / found, ignored) || !fs::exists(folder / found, ignored)) continue;
    const bool is_folder = fs::is_directory(folder / found, ignored);
    const std::string words =
        is_folder ? fmt::format("\"{}/**/*{}\"", found.string(), missing.is_module ? ".py" : "")
                  : found.string();
    return fmt::format(
        "{} is beside the program's code but not in `code:`, so its copy lacks it: "
        "add {} to `code`{}",
        found.string(), words,
        missing.is_module ? "" : ", or name it in `data` and pass {data.NAME}");
  }
  return "";
}

}  // namespace rethink
