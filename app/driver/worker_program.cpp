#include "app/driver/worker_program.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.h"

namespace rethink {

void become_worker(const CommandContext& context, std::vector<std::string> words) {
  const std::string worker = (context.programs / "rethink-worker").string();
  words.insert(words.begin(), worker);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(worker.c_str(), pointers.data());
  throw MachineError("cannot start " + worker + ": " + std::strerror(errno));
}

}  // namespace rethink
