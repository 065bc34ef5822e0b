#include "app/build_hash/build_hash.h"

#include <set>
#include <sstream>

#include "app/build_hash/code_of.h"
#include "core/error.h"
#include "core/files/file.h"
#include "core/files/hash.h"

namespace rethink {
namespace {

constexpr size_t kDigits = 20;

std::string source_hash(const std::filesystem::path& source) {
  return sha256_hex(code_of(read_file(source)));
}

std::string entry_of(const std::string& line, const std::filesystem::path& root) {
  const size_t blank = line.find(' ');
  const std::string kind = line.substr(0, blank),
                    rest = blank == std::string::npos ? "" : line.substr(blank + 1);
  if (kind == "fact" && !rest.empty()) return line;
  if (kind == "source" && !rest.empty()) return line + " " + source_hash(root / rest);
  if (kind == "library" && !rest.empty()) {
    const std::filesystem::path file(rest);
    return kind + " " + file.filename().string() + " " + sha256_file(file);
  }
  throw ConfigError("invalid-value",
                    "got '" + line + "', expected source PATH, library PATH or fact TEXT");
}

}  // namespace

std::string build_hash(const std::string& list, const std::filesystem::path& root) {
  std::set<std::string> entries;
  std::istringstream lines(list);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) entries.insert(entry_of(line, root));
  }
  std::string text;
  for (const std::string& entry : entries) text += entry + "\n";
  return sha256_hex(text).substr(0, kDigits);
}

std::map<std::string, std::string> source_hashes(const std::string& list,
                                                 const std::filesystem::path& root) {
  constexpr std::string_view kSource = "source ";
  std::map<std::string, std::string> hashes;
  std::istringstream lines(list);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(kSource)) continue;
    const std::string path = line.substr(kSource.size());
    hashes[path] = source_hash(root / path).substr(0, kDigits);
  }
  return hashes;
}

}  // namespace rethink
