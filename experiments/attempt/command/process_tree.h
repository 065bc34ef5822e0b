// A program with all processes that it starts, in any session: torchrun starts each rank in its own
// session.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/system/file.h"

namespace rethink {

/// Where `word` is in the folders of `path`, a value of PATH, as execvp would find it; the word itself where it has a slash;
/// empty where no folder has it.
std::filesystem::path program_on_path(const std::string& word, const std::string& path);

class ProcessTree {
 public:
  struct Start {
    std::vector<std::string> words;
    std::map<std::string, std::string> environment;  // the whole of it
    std::filesystem::path folder;
  };

  /// Starts the program in a session of its own, with nothing on its standard input and with default signals.
  /// This process becomes the parent of whatever the program leaves, and when it dies, so does the leading process.
  /// Throws MissingProgram, and MachineError.
  explicit ProcessTree(const Start& start);
  /// Kills what is left.
  ~ProcessTree();
  ProcessTree(const ProcessTree&) = delete;
  ProcessTree& operator=(const ProcessTree&) = delete;

  /// Ends of pipes, which do not block.
  const FileDescriptor& output() const { return output_; }
  const FileDescriptor& error() const { return error_; }
  /// Readable when the leading process has ended.
  const FileDescriptor& leader() const { return process_; }

  /// Whether the leading process has ended; then `status` is that of waitpid.
  bool has_ended(int& status);

  void terminate_leader() const;
  /// SIGTERM to every process of it.
  void terminate_all() const;
  /// SIGKILL to every process of it until none is left. How many there were beside the leading one.
  size_t kill_all();

 private:
  bool any_left();

  pid_t leader_ = 0;
  bool ended_ = false;
  int status_ = 0;
  FileDescriptor process_, output_, error_;
};

/// The variable by which the processes of a trial's program are known: its value is the trial's folder, without
/// links, since another store may have the same trial.
constexpr const char* kTrialVariable = "RETHINK_TRIAL_FOLDER";
std::string mark_of(const std::filesystem::path& trial_folder);

/// Kills them, but not this one, and returns when they have ended: what a worker left that was killed itself. After 10
/// seconds the rest is left with a warning, since the kernel may not let go of a process that waits for a disk.
void kill_programs_of(const std::filesystem::path& trial_folder);

}  // namespace rethink
