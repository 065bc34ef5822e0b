#include "core/system/mps.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstdlib>
#include <cstring>

#include "core/files/file.h"
#include "tests/support/temp_folder.h"

namespace rethink {
namespace {

TEST(Mps, RunsWhereItsControlDaemonListens) {
  const TempFolder folder;
  setenv("CUDA_MPS_PIPE_DIRECTORY", folder.path().c_str(), 1);
  EXPECT_FALSE(is_mps_running());
  {
    const FileDescriptor daemon(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, (folder / "control").c_str(), sizeof address.sun_path - 1);
    ASSERT_EQ(bind(daemon.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    ASSERT_EQ(listen(daemon.get(), 1), 0);
    EXPECT_TRUE(is_mps_running());
  }
  EXPECT_FALSE(is_mps_running()) << "the daemon is gone, its socket stays";
  setenv("CUDA_MPS_PIPE_DIRECTORY", std::string(200, 'x').c_str(), 1);
  EXPECT_FALSE(is_mps_running());
  unsetenv("CUDA_MPS_PIPE_DIRECTORY");
}

}  // namespace
}  // namespace rethink
