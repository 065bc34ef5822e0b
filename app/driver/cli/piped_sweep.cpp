#include "app/driver/cli/piped_sweep.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/piped_input.h"
#include "core/files/unique_names.h"
#include "core/yaml/yaml.h"
#include "experiments/plan/read/sweep_file.h"

namespace rethink {
namespace {

constexpr size_t kMostBytes = 8 << 20;  // of read_yaml
constexpr const char* kEnding = ".yaml";

bool is_piped(const std::string& name) {
  if (name == "-") return true;
  const bool is_descriptor =
      name == "/dev/stdin" || name.starts_with("/dev/fd/") || name.starts_with("/proc/self/fd/");
  struct stat status {};
  return is_descriptor && stat(name.c_str(), &status) == 0 && !S_ISREG(status.st_mode) &&
         !S_ISDIR(status.st_mode);
}

/// The name in messages.
std::string shown_pipe(const std::string& name) {
  return name == "-" || name == "/dev/stdin" ? kStandardInput : name;
}

std::string text_in(const std::string& name) {
  const FileDescriptor pipe(name == "-" ? dup(STDIN_FILENO)
                                        : open(name.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text, part(1 << 16, '\0');
  for (;;) {
    const ssize_t count = pipe ? read(pipe.get(), part.data(), part.size()) : -1;
    if (count == 0) return text;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      throw ConfigError("file-error",
                        fmt::format("{}: cannot read: {}", shown_pipe(name), std::strerror(errno)));
    text.append(part, 0, static_cast<size_t>(count));
    if (text.size() > kMostBytes)
      throw ConfigError("too-large",
                        fmt::format("{}: got more than {} MiB, expected a sweep of at most that",
                                    shown_pipe(name), kMostBytes >> 20));
  }
}

/// Returns the name of the sweep in the text; "sweep" if the text has no name.
std::string sweep_in(const std::string& text, const std::string& name) {
  std::string called;
  try {
    Problems ignored;  // the plan reports them
    const Yaml document = parse_yaml(text, name, ignored);
    const Yaml* sweep = document.find("sweep");
    if (sweep && sweep->is_scalar()) called = sweep->scalar.substr(0, kLongestName);
  } catch (const ConfigError&) {
  }
  return called.empty() ? "sweep" : called;
}

/// The path of a sweep's file below a folder. Different names have different paths, and no path
/// needs a folder where another name has a file.
std::filesystem::path file_of_sweep(const std::string& sweep) {
  std::filesystem::path file;
  size_t begin = 0;
  for (size_t end; (end = sweep.find('/', begin)) != std::string::npos; begin = end + 1) {
    const std::string folder = sweep.substr(begin, end - begin);
    // The sweep `a` has the file a.yaml.
    file /= stem_of_files(folder.ends_with(kEnding) ? folder + "/" : folder);
  }
  return file / (stem_of_files(sweep.substr(begin)) + kEnding);
}

/// Writes `text` to `file`, and reports the path.
void keep(const std::filesystem::path& file, const std::string& text, std::string& name) {
  make_folder_durably(file.parent_path());
  write_file_durably(file, text);
  name = file.string();
}

}  // namespace

bool has_piped_sweep(const po::variables_map& given) {
  return std::ranges::any_of(arguments_of(given), is_piped);
}

po::variables_map with_kept_sweeps(const po::variables_map& given,
                                   const std::filesystem::path& folder) {
  po::variables_map kept = given;
  std::vector<std::string> names = arguments_of(given);
  std::set<std::filesystem::path> written;
  for (std::string& name : names) {
    if (!is_piped(name)) continue;
    const std::string text = text_in(name);
    const std::filesystem::path inner = file_of_sweep(sweep_in(text, name)), file = folder / inner;
    if (!written.insert(file).second) {
      throw ConfigError(
          "duplicate-name",
          fmt::format(
              "{}: the second sweep '{}' that comes through a pipe; give each a name of its own",
              shown_pipe(name), std::filesystem::path(inner).replace_extension().string()));
    }
    show_file_as(file, shown_pipe(name));
    keep(file, text, name);
  }
  if (!written.empty()) kept.at("arguments").value() = names;
  return kept;
}

po::variables_map with_sweeps_moved(const po::variables_map& given,
                                    const std::filesystem::path& from,
                                    const std::filesystem::path& to) {
  po::variables_map moved = given;
  std::vector<std::string> names = arguments_of(given);
  for (std::string& name : names) {
    const std::filesystem::path inner = std::filesystem::path(name).lexically_relative(from);
    if (inner.empty() || *inner.begin() == "..") continue;
    show_file_as(to / inner, shown_name(name));
    keep(to / inner, read_file(name), name);
  }
  moved.at("arguments").value() = names;
  return moved;
}

}  // namespace rethink
