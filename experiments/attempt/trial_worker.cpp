#include "experiments/attempt/trial_worker.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "core/files/lock.h"
#include "core/message.h"
#include "core/text.h"
#include "experiments/attempt/trial_files.h"

namespace rethink {
namespace {

/// The program name of every worker (app/CMakeLists.txt, tests/CMakeLists.txt), except workers of
/// users' programs: `rethink serve`.
constexpr const char *kWorkerName = "rethink-worker", *kProgramWorkerName = "rethink";
/// The kernel appends this to the path of a program whose file was replaced or removed.
constexpr std::string_view kDeleted = " (deleted)";

std::filesystem::path proc(int pid, const char* entry) {
  return fmt::format("/proc/{}/{}", pid, entry);
}

/// "4711 (sleep 1000)", for people.
std::string process_text(int pid) {
  constexpr size_t kShown = 80;
  std::ifstream file(proc(pid, "cmdline"), std::ios::binary);
  std::string words(4096, '\0');
  file.read(words.data(), static_cast<std::streamsize>(words.size()));
  words.resize(static_cast<size_t>(file.gcount()));
  while (!words.empty() && words.back() == '\0') words.pop_back();
  for (char& byte : words) {
    const bool is_text = byte >= ' ' && byte <= '~';
    if (!is_text) byte = ' ';
  }
  if (words.size() > kShown) words = words.substr(0, kShown) + " ...";
  return words.empty() ? std::to_string(pid) : fmt::format("{} ({})", pid, words);
}

/// The real user of a process; nothing if the process has ended.
std::optional<uid_t> user_of(int pid) {
  std::ifstream status(proc(pid, "status"));
  for (std::string line; std::getline(status, line);) {
    std::istringstream words(line);
    std::string key;
    uid_t user = 0;
    if (words >> key >> user && key == "Uid:") return user;
  }
  return std::nullopt;
}

bool runs_a_worker(int pid) {
  std::error_code hidden;
  std::string program = std::filesystem::read_symlink(proc(pid, "exe"), hidden).filename();
  if (program.ends_with(kDeleted)) program.resize(program.size() - kDeleted.size());
  return !hidden && (program == kWorkerName || program == kProgramWorkerName);
}

/// Whether the kernel lists an exclusive lock on a file or a folder for this descriptor:
/// "lock:  1: OFDLCK ADVISORY  WRITE -1 fe:00:10985728 0 EOF",
/// "lock:  1: FLOCK  ADVISORY  WRITE 4711 fe:00:10985729 0 EOF".
bool has_lock(const std::filesystem::path& information) {
  std::ifstream file(information);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string key, number, kind, strength, access;
    if (words >> key >> number >> kind >> strength >> access && key == "lock:" &&
        (kind == "OFDLCK" || kind == "FLOCK") && access == "WRITE")
      return true;
  }
  return false;
}

/// `path`: of a file or a folder.
bool holds_lock_of(int pid, const std::filesystem::path& path) {
  struct stat wanted {};
  if (lstat(path.c_str(), &wanted) != 0) return false;
  if (!S_ISREG(wanted.st_mode) && !S_ISDIR(wanted.st_mode)) return false;
  std::error_code hidden;
  for (std::filesystem::directory_iterator entry(proc(pid, "fd"), hidden), end;
       !hidden && entry != end; entry.increment(hidden)) {
    struct stat open {};
    const bool is_the_file = stat(entry->path().c_str(), &open) == 0 &&
                             open.st_dev == wanted.st_dev && open.st_ino == wanted.st_ino;
    if (is_the_file && has_lock(proc(pid, "fdinfo") / entry->path().filename())) return true;
  }
  return false;
}

/// The command that shows who holds the trial's lock. The lock file names the owner only while it
/// is locked; otherwise the owner has another file open that had this name.
std::string holder_command(const TrialFolder& folder) {
  const bool is_lost = is_lock_file_lost(folder.path());
  // The kernel shows the open files of a process only to its own user and to root.
  return fmt::format("`fuser {}` (as root where another user's process may be it)",
                     for_a_shell((is_lost ? folder.path() : folder.lock()).string()));
}

/// Why this process, which has the recorded number, boot and start time, is not the worker; "" if
/// it is the worker.
std::string why_not_the_worker(int pid, const TrialFolder& folder) {
  const auto user = user_of(pid);
  if (user && *user != getuid())
    return fmt::format("belongs to user {}; end it as that user", *user);
  const std::string holder =
      fmt::format("; {} names who holds the lock: end that process", holder_command(folder));
  if (!runs_a_worker(pid))
    return fmt::format("is not a {} and was left alone{}", kWorkerName, holder);
  if (!holds_lock_of(pid, folder.lock()) && !holds_lock_of(pid, folder.path()))
    return "does not hold that lock and was left alone" + holder;
  return "";
}

}  // namespace

TrialWorker find_worker(const TrialFolder& folder) {
  TrialWorker worker;
  const auto named = last_worker(folder);
  const char* source = is_lock_file_lost(folder.path())
                           ? "its file `lock` was removed or replaced, and its events name"
                           : "its lock names";
  if (!named || named->pid <= 0) {
    worker.problem =
        fmt::format("{} no process; {}, on the machine where it runs, does: end it there", source,
                    holder_command(folder));
    return worker;
  }
  worker.pid = named->pid;
  FileDescriptor process = open_process(*named);
  if (!process) {
    worker.problem = fmt::format(
        "{} process {}, which is out of reach (another machine, container or boot); end it there",
        source, named->pid);
    return worker;
  }
  const std::string why = why_not_the_worker(named->pid, folder);
  if (why.empty()) {
    worker.process = std::move(process);
  } else {
    worker.problem = fmt::format("{} process {}, which {}", source, process_text(named->pid), why);
  }
  return worker;
}

std::string signal_worker(const TrialFolder& folder, int signal) {
  const TrialWorker worker = find_worker(folder);
  if (worker.process && !send_signal(worker.process, signal))
    return fmt::format("its process {} could not be signalled", worker.pid);
  return worker.problem;
}

}  // namespace rethink
