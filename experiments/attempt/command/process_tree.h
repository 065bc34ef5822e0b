// A program with all processes that it starts, in any session: torchrun starts each rank in its own
// session.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/files/file.h"

namespace rethink {

/// Returns the path of `word` in the folders of `path`, a value of PATH, as execvp would find it;
/// `word` itself if it has a slash; "" if no folder has it.
std::filesystem::path program_on_path(const std::string& word, const std::string& path);

class ProcessTree {
 public:
  struct Start {
    std::vector<std::string> words;
    std::map<std::string, std::string> environment;  // the whole environment
    std::filesystem::path folder;
  };

  /// Starts the program in a new session, with empty standard input and default signals. This
  /// process becomes the parent of every process that the program leaves. If this process dies, the
  /// leading process dies too. Throws MissingProgram, and MachineError.
  explicit ProcessTree(const Start& start);
  /// Kills the remaining processes.
  ~ProcessTree();
  ProcessTree(const ProcessTree&) = delete;
  ProcessTree& operator=(const ProcessTree&) = delete;

  /// Ends of pipes, which do not block.
  const FileDescriptor& output() const { return output_; }
  const FileDescriptor& error() const { return error_; }
  /// Readable when the leading process has ended.
  const FileDescriptor& leader() const { return process_; }

  /// Returns whether the leading process has ended; `status` is then its status of waitpid.
  bool has_ended(int& status);

  void terminate_leader() const;
  /// Sends SIGTERM to every process of the tree.
  void terminate_all() const;
  /// Sends SIGKILL to every process of the tree until none is left. Returns how many there were
  /// beside the leading process.
  size_t kill_all();

 private:
  bool any_left();

  pid_t leader_ = 0;
  bool ended_ = false;
  int status_ = 0;
  FileDescriptor process_, output_, error_;
};

/// The variable that marks the processes of a trial's program. Its value is the trial's folder,
/// without links, since another store may have the same trial.
constexpr const char* kTrialVariable = "RETHINK_TRIAL_FOLDER";
std::string mark_of(const std::filesystem::path& trial_folder);

/// Kills the descendants of this process that a killed worker left, and waits until they have
/// ended. After 10 seconds the others are left with a warning, since the kernel may not release a
/// process that waits for a disk.
void kill_programs_of(const std::filesystem::path& trial_folder);

}  // namespace rethink
