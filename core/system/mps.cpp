#include "core/system/mps.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "core/files/file.h"

namespace rethink {

bool is_mps_running() {
  const char* const given = std::getenv("CUDA_MPS_PIPE_DIRECTORY");
  const std::string path = std::string(given && *given ? given : "/tmp/nvidia-mps") + "/control";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return false;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const FileDescriptor control(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  return control &&
         connect(control.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

}  // namespace rethink
